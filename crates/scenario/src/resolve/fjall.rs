//! What the Fjall constructs add to a service: their breaker defaults, the watchdog, the gate.

use alloc::format;

use super::checker::Checker;
use crate::document::{CircuitBreaker, Document, FjallBreaker, FjallBreakerSettings, ThresholdConfiguration};
use crate::json::pointer_join;

const FJALL: &str = "/fjall";

/// The task-stop watchdog of a cluster, as far as one service is concerned. A document without
/// `fjall` has it as well, as an outside observer: it acts on nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Watchdog {
    /// Stops are logged and counted (`taskStopWatchdog`). Default true.
    pub enabled: bool,
    /// There is an alarm for the service: the cluster has an `alertsTopic` and the service does
    /// not say `alarms: false`. Default true.
    pub alarms: bool,
    /// Windows of five minutes that begin at multiples of five minutes (`watchdog_aligned`).
    /// Default false: the last five minutes before each stop.
    pub aligned: bool,
}

impl Default for Watchdog {
    fn default() -> Self {
        Watchdog { enabled: true, alarms: true, aligned: false }
    }
}

/// Checks `fjall` but its breaker.
pub fn watchdog(doc: &Document, c: &mut Checker) -> Watchdog {
    let aligned = doc.readings.watchdog_aligned.unwrap_or(false);
    let Some(fjall) = &doc.fjall else { return Watchdog { aligned, ..Watchdog::default() } };
    databases(doc, c);
    Watchdog {
        enabled: fjall.task_stop_watchdog.unwrap_or(true),
        alarms: fjall.alerts_topic.unwrap_or(true) && fjall.alarms.unwrap_or(true),
        aligned,
    }
}

/// Two migrated databases of one kind leave open which version is to be expected.
fn databases(doc: &Document, c: &mut Checker) {
    let Some(kinds) = doc.fjall.as_ref().and_then(|fjall| fjall.databases.as_deref()) else { return };
    let at = pointer_join(FJALL, "databases");
    for (i, kind) in kinds.iter().enumerate() {
        c.one_name(&pointer_join(&at, i), kind, &["sql", "clickhouse"], None);
    }
    let twice = kinds.iter().enumerate().find(|(i, kind)| kinds[..*i].contains(kind));
    if let Some((i, kind)) = twice.filter(|_| gate(doc)) {
        let answer = "the synthesis is rejected: the gate cannot expect two versions of one kind";
        let allowed = "one migrated database of each kind, or schemaGate false";
        c.refuse(&pointer_join(&at, i), format!("\"{kind}\" twice"), allowed, answer);
    }
}

/// The tasks are told which schema they were built for.
pub fn gate(doc: &Document) -> bool {
    doc.fjall.as_ref().and_then(|fjall| fjall.schema_gate).unwrap_or(true)
}

/// The breaker in force: the one of `deploymentConfiguration`, else what Fjall makes of its own
/// settings, written as the service stores it. Checked ranges: `threshold` 1 and up.
pub fn breaker(doc: &Document, c: &mut Checker) -> Option<CircuitBreaker> {
    if let Some(given) = &doc.service.deployment.breaker {
        if doc.fjall.as_ref().is_some_and(|fjall| fjall.breaker.is_some()) {
            let text = "unused: service.deploymentConfiguration.deploymentCircuitBreaker is given";
            c.advise(&pointer_join(FJALL, "circuitBreaker"), "given", text);
        }
        return Some(given.clone());
    }
    let fjall = doc.fjall.as_ref()?;
    let settings = match &fjall.breaker {
        Some(FjallBreaker::Switch(false)) => return None,
        Some(FjallBreaker::Settings(settings)) => settings.clone(),
        Some(FjallBreaker::Switch(true)) | None => FjallBreakerSettings::default(),
    };
    let at = format!("{FJALL}/circuitBreaker/threshold");
    let threshold = c.optional(&at, settings.threshold, 1, i64::from(u32::MAX), None);
    let count = |value| ThresholdConfiguration { kind: Some("COUNT".into()), value: Some(value) };
    Some(CircuitBreaker {
        enable: Some(true),
        rollback: Some(settings.rollback.unwrap_or(true)),
        reset_on_healthy: Some(settings.reset_on_healthy.unwrap_or(false)),
        threshold: threshold.map(count),
    })
}
