//! `service` of a Kubernetes Deployment: its `spec`, under Kubernetes' own field names.
//!
//! `service` has another shape on another platform. In the tree it is one key; in the document each platform
//! has a member of its own, and the platform says which one is read and written.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use super::field::{Field, Reader, record};
use crate::json::{Value, pointer_join};
use crate::problem::Problem;

/// `platform` of a Kubernetes Deployment.
pub const DEPLOYMENT: &str = "kubernetes-deployment";
/// The key that stands for `service` of a Kubernetes Deployment while a tree is read and written; nobody
/// writes it by hand.
pub(super) const KEY: &str = "service of a Deployment";

record! {
    /// `spec` of a Deployment. Ranges and defaults: `docs/scenario.md`.
    member DeploymentSpec {
        /// Default 1.
        replicas: Option<i64> = "replicas",
        /// `RollingUpdate` with 25% and 25% by default.
        strategy: Option<StrategyDoc> = "strategy",
        /// Default 0.
        min_ready_seconds: Option<i64> = "minReadySeconds",
        /// Default 600; 2147483647 for none.
        progress_deadline_seconds: Option<i64> = "progressDeadlineSeconds",
        /// Default 10; 2147483647 for no limit.
        revision_history_limit: Option<i64> = "revisionHistoryLimit",
        /// Default false.
        paused: Option<bool> = "paused",
        /// Not read: it must match the labels of the template.
        selector: Option<Value> = "selector",
        /// The Pod template.
        template: Option<PodTemplateDoc> = "template",
    }
}

record! {
    /// `strategy`
    record StrategyDoc {
        /// `RollingUpdate` (default) or `Recreate`.
        kind: Option<String> = "type",
        /// Only with `RollingUpdate`.
        rolling_update: Option<RollingUpdateDoc> = "rollingUpdate",
    }
}

record! {
    /// `rollingUpdate`
    record RollingUpdateDoc {
        /// Default 25%.
        max_surge: Option<IntOrString> = "maxSurge",
        /// Default 25%.
        max_unavailable: Option<IntOrString> = "maxUnavailable",
    }
}

record! {
    /// `template`
    record PodTemplateDoc {
        /// Not read.
        metadata: Option<Value> = "metadata",
        /// What each Pod is.
        spec: Option<PodSpecDoc> = "spec",
    }
}

record! {
    /// `spec` of the Pod template, as far as it is read.
    record PodSpecDoc {
        /// Default 30.
        termination_grace: Option<i64> = "terminationGracePeriodSeconds",
        /// `Always`, the only one a Deployment takes.
        restart_policy: Option<String> = "restartPolicy",
        /// Containers; absent: one without probes.
        containers: Option<alloc::vec::Vec<KubeContainer>> = "containers",
    }
}

record! {
    /// A container, as far as it is read.
    record KubeContainer {
        /// A name for people.
        name: Option<String> = "name",
        /// Not read.
        image: Option<String> = "image",
        /// Absent: counts as passed.
        startup_probe: Option<ProbeDoc> = "startupProbe",
        /// Absent: ready when the container runs.
        readiness_probe: Option<ProbeDoc> = "readinessProbe",
        /// Absent: counts as passed.
        liveness_probe: Option<ProbeDoc> = "livenessProbe",
        /// Hooks.
        lifecycle: Option<LifecycleDoc> = "lifecycle",
        /// Not read.
        ports: Option<Value> = "ports",
        /// Not read.
        resources: Option<Value> = "resources",
    }
}

record! {
    /// A probe. How it asks is not read.
    record ProbeDoc {
        /// Default 0.
        initial_delay: Option<i64> = "initialDelaySeconds",
        /// Default 10.
        period: Option<i64> = "periodSeconds",
        /// Default 1.
        timeout: Option<i64> = "timeoutSeconds",
        /// Default 1.
        success_threshold: Option<i64> = "successThreshold",
        /// Default 3.
        failure_threshold: Option<i64> = "failureThreshold",
        /// Default: that of the Pod.
        termination_grace: Option<i64> = "terminationGracePeriodSeconds",
        /// Not read.
        http_get: Option<Value> = "httpGet",
        /// Not read.
        tcp_socket: Option<Value> = "tcpSocket",
        /// Not read.
        exec: Option<Value> = "exec",
        /// Not read.
        grpc: Option<Value> = "grpc",
    }
}

record! {
    /// `lifecycle`
    record LifecycleDoc {
        /// Runs before the stop signal.
        pre_stop: Option<PreStopDoc> = "preStop",
        /// Not read.
        post_start: Option<Value> = "postStart",
    }
}

record! {
    /// `preStop`
    record PreStopDoc {
        /// Waits.
        sleep: Option<SleepDoc> = "sleep",
        /// Not read: how long it takes is not known.
        exec: Option<Value> = "exec",
        /// Not read: how long it takes is not known.
        http_get: Option<Value> = "httpGet",
    }
}

record! {
    /// `sleep`
    record SleepDoc {
        /// Required.
        seconds: Option<i64> = "seconds",
    }
}

record! {
    /// `pods` of a ResourceQuota from a moment on.
    record QuotaStep {
        /// When. Required.
        at: Option<crate::duration::Span> = "at",
        /// Pods, 0 and up. Required.
        pods: Option<i64> = "pods",
    }
}

/// A whole number or a text such as `"25%"`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntOrString {
    /// A number.
    Int(i64),
    /// A text, whatever it says.
    Text(String),
}

impl Field for IntOrString {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        match (value.as_i64(), value.as_str()) {
            (Some(n), _) => Some(IntOrString::Int(n)),
            (_, Some(text)) => Some(IntOrString::Text(text.to_string())),
            _ => {
                reader.wrong(at, value, "a whole number, or a percentage in quotes such as \"25%\"");
                None
            }
        }
    }
    fn write(&self) -> Value {
        match self {
            IntOrString::Int(n) => Value::from(*n),
            IntOrString::Text(text) => Value::from(text.as_str()),
        }
    }
}

/// The tree as the reader wants it: `service` under the key of its platform.
pub(super) fn inward(tree: &Value) -> Cow<'_, Value> {
    let Value::Object(entries) = tree else { return Cow::Borrowed(tree) };
    if tree.get("platform").and_then(Value::as_str) != Some(DEPLOYMENT) {
        return Cow::Borrowed(tree);
    }
    let key = |key: &String| if key == "service" { KEY.to_string() } else { key.clone() };
    Cow::Owned(Value::Object(entries.iter().map(|(name, value)| (key(name), value.clone())).collect()))
}

/// The pointers of problems as people know them.
pub(super) fn outward(problems: &mut [Problem]) {
    let inner = pointer_join("", KEY);
    for problem in problems {
        if let Some(rest) = problem.field.strip_prefix(inner.as_str()) {
            problem.field = alloc::format!("/service{rest}");
        }
    }
}
