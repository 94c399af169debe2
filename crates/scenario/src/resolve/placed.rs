//! From the document of a StatefulSet or a DaemonSet to settings. The Pod template, the times and what exists at
//! the start are checked as for a Deployment; what names the kind of workload is put right at the end.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::daemonset::{self, NodeParams, node_counts};
use rollscope_engine::platform::kubernetes::{IntOrPercent, Params, Strategy, UNLIMITED};
use rollscope_engine::platform::statefulset::rules_update::effective_max_unavailable;
use rollscope_engine::platform::statefulset::{self, OrdinalParams};
use rollscope_engine::settings::TASKS_MAX;
use rollscope_engine::time::SECOND;

use super::Resolved;
use super::checker::Checker;
use super::kubernetes::{SECONDS_MAX, Workload, answer, count, finish, pod, quota, whole_or_percent};
use crate::document::{Document, IntOrString, PodTemplateDoc};
use crate::json::{Value, pointer_join};
use crate::limits::Limits;
use crate::problem::Problem;

/// Nodes that run the daemon where nobody says how many there are.
const NODES: i64 = 3;
const ROLLING: &str = "/service/updateStrategy/rollingUpdate";

/// A StatefulSet; see [`Document::resolve`].
pub fn stateful_set(doc: &Document) -> Result<Resolved, Vec<Problem>> {
    let mut c = Checker::default();
    let spec = &doc.stateful_set;
    let replicas = count("/service/replicas", spec.replicas, i64::from(TASKS_MAX), 1, &mut c) as u32;
    let own = ordinal_params(doc, &mut c);
    let times = (spec.min_ready_seconds, spec.revision_history_limit);
    let common = common(doc, replicas, times, spec.template.as_ref(), &mut c);
    for (at, given, why) in [
        ("/service/selector", spec.selector.is_some(), "the template's labels are taken to match"),
        ("/service/volumeClaimTemplates", spec.volume_claims.is_some(), "volumes attach at once"),
        ("/service/persistentVolumeClaimRetentionPolicy", spec.retention.is_some(), "volumes are not followed"),
    ] {
        if given {
            c.not_simulated(at, why);
        }
    }
    if doc.nodes.is_some() {
        c.advise("/nodes", "given", "unused: a StatefulSet has replicas");
    }
    let floor = replicas.saturating_sub(effective_max_unavailable(&own, replicas));
    let limits = Limits { desired: replicas, floor, ceiling: replicas };
    let pod = common.pod.clone();
    let platform = PlatformSettings::StatefulSet(Box::new(statefulset::Params { common, own }));
    finish(doc, Workload { kind: "StatefulSet", platform, pod, limits }, c)
}

/// A DaemonSet; see [`Document::resolve`].
pub fn daemon_set(doc: &Document) -> Result<Resolved, Vec<Problem>> {
    let mut c = Checker::default();
    let spec = &doc.daemon_set;
    let nodes = c.number("/nodes", doc.nodes, 0, i64::from(TASKS_MAX), NODES, None) as u32;
    let own = node_params(doc, &mut c);
    let times = (spec.min_ready_seconds, spec.revision_history_limit);
    let common = common(doc, nodes, times, spec.template.as_ref(), &mut c);
    if spec.selector.is_some() {
        c.not_simulated("/service/selector", "the template's labels are taken to match");
    }
    if doc.places.is_some() {
        c.advise("/places", "given", "unused: a DaemonSet's Pods run one a node");
    }
    host_ports(spec.template.as_ref(), &own, &mut c);
    let (surge, unavailable) = node_counts(&own, nodes);
    let (floor, ceiling) = (nodes.saturating_sub(unavailable), nodes.saturating_add(surge));
    let limits = Limits { desired: nodes, floor, ceiling };
    let pod = common.pod.clone();
    let platform = PlatformSettings::DaemonSet(Box::new(daemonset::Params { common, own }));
    finish(doc, Workload { kind: "DaemonSet", platform, pod, limits }, c)
}

/// What every workload has.
fn common(
    doc: &Document,
    replicas: u32,
    (min_ready, history): (Option<i64>, Option<i64>),
    template: Option<&PodTemplateDoc>,
    c: &mut Checker,
) -> Params {
    let min_ready = count("/service/minReadySeconds", min_ready, SECONDS_MAX, 0, c);
    let at = "/service/revisionHistoryLimit";
    let history = count(at, history, i64::from(UNLIMITED), 10, c);
    if history == 0 {
        c.advise(at, 0, "no old revision is kept: kubectl rollout undo has nothing to go back to");
    }
    Params {
        replicas,
        strategy: Strategy::default(),
        min_ready_ms: min_ready as u64 * SECOND,
        progress_deadline_ms: None,
        revision_history_limit: (history < i64::from(UNLIMITED)).then_some(history as u32),
        paused: false,
        pod: pod(template, doc, c),
        quota: quota(doc, c),
    }
}

/// `type` of `updateStrategy`: true for OnDelete.
fn on_delete(kind: Option<&str>, rolling_given: bool, c: &mut Checker) -> bool {
    let at = "/service/updateStrategy/type";
    let words = answer(at, format!("\"{}\"", kind.unwrap_or_default()), "must be 'RollingUpdate' or 'OnDelete'");
    let on_delete = c.name(at, kind, &["RollingUpdate", "OnDelete"], "RollingUpdate", Some(&words)) == "OnDelete";
    if on_delete && rolling_given {
        let words = answer(ROLLING, "given", "only allowed for updateStrategy 'RollingUpdate'");
        c.refuse(ROLLING, "given", "nothing: with OnDelete people delete the Pods", &words).nearest = Some(Value::Null);
    }
    on_delete
}

fn ordinal_params(doc: &Document, c: &mut Checker) -> OrdinalParams {
    let spec = &doc.stateful_set;
    let at = "/service/podManagementPolicy";
    let given = spec.policy.as_deref();
    let words = answer(at, format!("\"{}\"", given.unwrap_or_default()), "must be 'OrderedReady' or 'Parallel'");
    let parallel = c.name(at, given, &["OrderedReady", "Parallel"], "OrderedReady", Some(&words)) == "Parallel";
    let strategy = spec.strategy.as_ref();
    let rolling = strategy.and_then(|strategy| strategy.rolling_update.as_ref());
    let on_delete = on_delete(strategy.and_then(|strategy| strategy.kind.as_deref()), rolling.is_some(), c);
    let at = pointer_join(ROLLING, "partition");
    let most = i64::from(i32::MAX);
    let partition = count(&at, rolling.and_then(|rolling| rolling.partition), most, 0, c) as u32;
    let gate = doc.feature_gates.max_unavailable == Some(true);
    let value = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
    let at = pointer_join(ROLLING, "maxUnavailable");
    let max_unavailable = value.and_then(|value| limit(&at, value, c));
    if max_unavailable.is_some_and(IntOrPercent::is_zero) {
        let words = answer(&at, shown(value), "cannot be 0");
        c.refuse(&at, shown(value), "1 or more, or 1% to 100%", &words).nearest = Some(1.into());
    } else if max_unavailable.is_some() && !gate {
        let text = "not read: the feature gate MaxUnavailableStatefulSet is off (featureGates), so one Pod at a time";
        c.advise(&at, shown(value), text);
    }
    let start = spec.ordinals.as_ref().and_then(|ordinals| ordinals.start);
    let first = count("/service/ordinals/start", start, i64::from(TASKS_MAX), 0, c) as u32;
    OrdinalParams { parallel, on_delete, partition, max_unavailable, gate, first }
}

fn node_params(doc: &Document, c: &mut Checker) -> NodeParams {
    let strategy = doc.daemon_set.strategy.as_ref();
    let rolling = strategy.and_then(|strategy| strategy.rolling_update.as_ref());
    let on_delete = on_delete(strategy.and_then(|strategy| strategy.kind.as_deref()), rolling.is_some(), c);
    let surge = rolling.and_then(|rolling| rolling.max_surge.as_ref());
    let unavailable = rolling.and_then(|rolling| rolling.max_unavailable.as_ref());
    let (at_surge, at_unavailable) = (pointer_join(ROLLING, "maxSurge"), pointer_join(ROLLING, "maxUnavailable"));
    let mut read = |at: &str, value: Option<&IntOrString>, default: u32| match value {
        Some(value) => limit(at, value, c),
        None => {
            c.default_used(at, default);
            Some(IntOrPercent::Int(default))
        }
    };
    let (max_surge, max_unavailable) = (read(&at_surge, surge, 0), read(&at_unavailable, unavailable, 1));
    let zero = |value: Option<IntOrPercent>| value.map(IntOrPercent::is_zero);
    match (zero(max_surge), zero(max_unavailable)) {
        (Some(false), Some(false)) => {
            let words = answer(&at_surge, shown(surge), "may not be set when maxUnavailable is non-zero");
            let allowed = "0, or maxUnavailable written as 0: absent it is 1";
            c.refuse(&at_surge, shown(surge), allowed, &words).nearest = Some(0.into());
        }
        (Some(true), Some(true)) => {
            let field = "spec.updateStrategy.rollingUpdate.maxUnavailable";
            let words = format!("The Deployment is invalid: {field}: Required value: cannot be 0 when maxSurge is 0");
            let allowed = "more than 0, or maxSurge more than 0: else nothing could move";
            c.refuse(&at_unavailable, shown(unavailable), allowed, &words).nearest = Some(1.into());
        }
        _ => {}
    }
    NodeParams {
        on_delete,
        max_surge: max_surge.unwrap_or(IntOrPercent::Int(0)),
        max_unavailable: max_unavailable.unwrap_or(IntOrPercent::Int(1)),
    }
}

/// A number of Pods or nodes, or 0% to 100% of them.
fn limit(at: &str, value: &IntOrString, c: &mut Checker) -> Option<IntOrPercent> {
    whole_or_percent(at, value, 100, c)
}

fn shown(value: Option<&IntOrString>) -> String {
    match value {
        Some(IntOrString::Int(n)) => n.to_string(),
        Some(IntOrString::Text(text)) => format!("\"{text}\""),
        None => "absent".to_string(),
    }
}

/// Two Pods on one node cannot have the same port of it.
fn host_ports(template: Option<&PodTemplateDoc>, own: &NodeParams, c: &mut Checker) {
    let containers = template.and_then(|template| template.spec.as_ref()).and_then(|spec| spec.containers.as_deref());
    if own.max_surge.is_zero() {
        return;
    }
    for (i, container) in containers.unwrap_or(&[]).iter().enumerate() {
        let ports = container.ports.as_ref().and_then(Value::as_array).unwrap_or_default();
        if let Some(k) = ports.iter().position(|port| port.get("hostPort").is_some()) {
            let at = format!("/service/template/spec/containers/{i}/ports/{k}/hostPort");
            c.invalid(&at, "given", "nothing with maxSurge: the old Pod on the node has the port");
        }
    }
}
