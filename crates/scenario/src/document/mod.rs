//! The document as the user wrote it. Every field may be absent, and absent is a value of its
//! own: nothing is filled in here. Keys, units, ranges and defaults: `docs/scenario.md`.

pub mod asg;
mod capacity;
mod ecs;
mod failure;
mod field;
pub mod kubernetes;
pub mod machines;
pub mod placed;
mod platform;
mod run;
mod shift;
mod traffic;
mod workload;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use asg::{AlarmSpecification, ConfigurationDoc, GroupSpec, LaunchTemplateRef, MaintenancePolicy, PreferencesDoc};
pub use capacity::{CapacityDoc, InstanceDoc, OutageDoc, ProviderDoc, TaskNeeds, UsedDoc};
pub use ecs::{
    Alarms, CanaryConfiguration, CapacityProviderItem, CircuitBreaker, DeploymentConfiguration, DeploymentController,
    EarlySuccess, HookTimeout, LifecycleHook, LinearConfiguration, LoadBalancer, Service, ServiceRegistry,
    ThresholdConfiguration,
};
pub use failure::{AlarmChange, AlarmDoc, Fjall, FjallBreaker, FjallBreakerSettings, SchemaStep, SchemaVersion};
use field::record;
pub use field::{Field, Member, Reader};
pub use kubernetes::{
    DeploymentSpec, IntOrString, KubeContainer, LifecycleDoc, PodSpecDoc, PodTemplateDoc, PreStopDoc, ProbeDoc,
    QuotaStep, RollingUpdateDoc, SleepDoc, StrategyDoc,
};
pub use machines::{
    AutoHealingPolicy, ConnectionDraining, DistributionPolicy, FixedOrPercent, GoogleHealthCheck, HealthExtension,
    LifecyclePolicy, MigSpec, MigVersion, RollingUpgradePolicy, Sku, UpdatePolicy, UpgradePolicy, VmssSpec, ZoneRef,
};
pub use placed::{
    DaemonSetSpec, FeatureGates, NodeStrategyDoc, NodeUpdateDoc, OrdinalStrategyDoc, OrdinalUpdateDoc, OrdinalsDoc,
    StatefulSetSpec,
};
pub use run::{
    Act, ByStart, FATE_DEPTH_MAX, NewTargetPasses, Places, Ratio, Readings, RevisionDoc, Start, StartDeployment, Timing,
};
pub use shift::{AdvancedConfiguration, HookAnswerDoc, HookDoc};
pub use traffic::{Autoscaling, RateStep, TrafficDoc};
pub use workload::{Container, ContainerHealthCheck, RestartPolicy, TargetGroup};

use crate::duration::Span;
use crate::json::{self, Parsed, Value};
use crate::problem::{self, Kind, Problem};

/// The format version this crate reads and writes.
pub const VERSION: i64 = 1;

record! {
    /// A scenario document.
    member Document {
        /// Format version; absent is 1, and 1 is read as absent: every document is written with it.
        rollscope: Option<i64> = "rollscope",
        /// A name for people.
        title: Option<String> = "title",
        /// Free text for people.
        notes: Option<String> = "notes",
        /// `ecs` (default), `kubernetes-deployment`, `statefulset`, `daemonset`, `asg-refresh`, `mig` or `vmss`. Other platforms
        /// are known by name and not available yet.
        platform: Option<String> = "platform",
        /// The platform's own configuration under its own field names.
        service: Service = "service",
        /// `service` of a Kubernetes Deployment: its `spec`. Read and written as `service`.
        deployment: DeploymentSpec = "service of a Deployment",
        /// `service` of a StatefulSet: its `spec`. Read and written as `service`.
        stateful_set: StatefulSetSpec = "service of a StatefulSet",
        /// `service` of a DaemonSet: its `spec`. Read and written as `service`.
        daemon_set: DaemonSetSpec = "service of a DaemonSet",
        /// `service` of an Auto Scaling group: what its instance refresh needs. Read and written as `service`.
        group: GroupSpec = "service of a group",
        /// `service` of a managed instance group. Read and written as `service`.
        managed: MigSpec = "service of a managed instance group",
        /// `service` of a scale set. Read and written as `service`.
        scale_set: VmssSpec = "service of a scale set",
        /// Containers of the task definition; absent: one without a health check.
        containers: Option<Vec<Container>> = "containers",
        /// Target groups; absent or empty: no load balancer.
        target_groups: Option<Vec<TargetGroup>> = "targetGroups",
        /// How long things take.
        timing: Timing = "timing",
        /// The revision that is rolled out.
        new: RevisionDoc = "new",
        /// The revision that runs.
        old: RevisionDoc = "old",
        /// How the watched alarms fare; absent: all stay OK.
        alarms: Option<Vec<AlarmDoc>> = "alarms",
        /// How lifecycle hooks answer; absent: every function answers SUCCEEDED at once.
        hooks: Option<Vec<HookDoc>> = "hooks",
        /// The schema of the database over time; absent: it is new enough for every revision.
        schema: Option<Vec<SchemaStep>> = "schema",
        /// Requests to the service; absent: none are counted.
        traffic: Option<TrafficDoc> = "traffic",
        /// Target tracking on them; absent: the desired count stays.
        autoscaling: Option<Autoscaling> = "autoscaling",
        /// Room for tasks over time; absent: no limit.
        places: Option<Vec<Places>> = "places",
        /// `pods` of a ResourceQuota over time (Kubernetes); absent: no quota.
        resource_quota: Option<Vec<QuotaStep>> = "resourceQuota",
        /// Nodes that should run a DaemonSet's Pod. Default 3.
        nodes: Option<i64> = "nodes",
        /// Feature gates of the cluster (StatefulSet).
        feature_gates: FeatureGates = "featureGates",
        /// Instances of a cluster, or when Fargate has no capacity; absent: as `places` says.
        capacity: Option<CapacityDoc> = "capacity",
        /// Settings of the Fjall constructs; absent: a plain service.
        fjall: Option<Fjall> = "fjall",
        /// What exists at time 0; absent: the old revision, steady.
        start: Option<Start> = "start",
        /// What people and the world do during the run.
        acts: Option<Vec<Act>> = "acts",
        /// Switches for places where the public sources disagree.
        readings: Readings = "readings",
        /// `default` or `none`: launch quotas.
        quotas: Option<String> = "quotas",
        /// Seed of every draw, 0 and up. Default 1.
        seed: Option<i64> = "seed",
        /// The run ends here.
        until: Option<Span> = "until",
    }
}

/// A document with everything that was noticed while reading it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What could be read.
    pub document: Document,
    /// Errors and warnings with their places.
    pub problems: Vec<Problem>,
    /// The text as a tree; absent when it is not JSON.
    pub text: Option<Parsed>,
}

impl Reading {
    /// Every problem of reading and of validation with its place in the text, or the settings.
    pub fn resolve(&self) -> Result<crate::Resolved, Vec<Problem>> {
        let mut problems = self.problems.clone();
        let resolved = self.document.resolve();
        let found = match &resolved {
            Ok(resolved) => &resolved.warnings,
            Err(found) => found,
        };
        // What is there and could not be read is not absent as well.
        let unread = |p: &&Problem| p.kind != Kind::Missing || self.problems.iter().all(|known| known.field != p.field);
        problems.extend(found.iter().filter(unread).cloned());
        if let Some(text) = &self.text {
            problem::locate(&mut problems, text);
        }
        problem::sort(&mut problems);
        match resolved {
            Ok(mut resolved) if !problems.iter().any(Problem::is_error) => {
                resolved.warnings = problems;
                Ok(resolved)
            }
            _ => Err(problems),
        }
    }
}

impl Document {
    /// Reads a document from text. What cannot be read is absent in the document and a problem
    /// in the list; nothing stops at the first mistake but broken JSON.
    pub fn from_text(text: &str) -> Reading {
        match json::read(text) {
            Ok(parsed) => {
                let (document, mut problems) = Document::from_value(&parsed.value);
                for pointer in &parsed.duplicates {
                    let allowed = "each key once; the last one counts";
                    problems.push(Problem::warning(Kind::Advice, pointer.clone(), "given twice", allowed));
                }
                problem::locate(&mut problems, &parsed);
                problem::sort(&mut problems);
                Reading { document, problems, text: Some(parsed) }
            }
            Err(fault) => {
                let mut problem =
                    Problem::error(Kind::Syntax, "", fault.found.clone(), format!("expected {}", fault.expected));
                problem.position = Some((fault.at.line, fault.at.column));
                Reading { document: Document::default(), problems: alloc::vec![problem], text: None }
            }
        }
    }

    /// Reads a document from a tree.
    pub fn from_value(value: &Value) -> (Document, Vec<Problem>) {
        let mut reader = Reader::default();
        let tree = platform::inward(value);
        let mut document = <Document as Field>::read(&tree, &mut reader, "").unwrap_or_default();
        platform::outward(&mut reader.problems);
        document.rollscope = document.rollscope.filter(|version| *version != VERSION);
        (document, reader.problems)
    }

    /// The canonical document: `rollscope` first, keys in fixed order, durations as text, what is
    /// absent left out.
    pub fn to_json(&self) -> Value {
        let mut value = Value::object([("rollscope", Value::from(self.rollscope.unwrap_or(VERSION)))]);
        if let Value::Object(entries) = Field::write(self) {
            for (key, item) in entries {
                value.insert(platform::outward_key(key), item);
            }
        }
        value
    }

    /// The document with one field set (or, with `Value::Null`, taken out), and what was noticed.
    /// This is how a suggested nearest value is applied.
    pub fn with(&self, pointer: &str, value: Value) -> (Document, Vec<Problem>) {
        let mut tree = self.to_json();
        if value.is_null() {
            tree.remove_pointer(pointer);
        } else {
            tree.set_pointer(pointer, value);
        }
        Document::from_value(&tree)
    }
}
