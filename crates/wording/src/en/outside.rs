//! What was counted, where protection ends, and what others see, in English.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Alarm, AlarmState};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{MonitorStatus, ProtectionEnd};
use rollscope_engine::trace::DeploymentId;
use rollscope_insight::Failures;
use rollscope_insight::outside::{Colour, Misleads, Signal, Trusts};
use rollscope_insight::tally::total;

use super::{count, plural};
use crate::time::clock;

pub(crate) fn threshold(threshold: u32) -> String {
    let trip = if threshold == 1 { "trips" } else { "trip" };
    format!("{} {trip} it", plural(threshold, "failure", "failures"))
}

pub(crate) fn gate(gate: u32) -> String {
    let enough = if gate == 1 { "is" } else { "are" };
    format!("{} {enough} enough", plural(gate, "healthy new task", "healthy new tasks"))
}

pub(crate) fn counted(failures: &Failures) -> String {
    let failed = |n: u32| plural(n, "failure", "failures");
    let (counted, not_counted) = total(&failures.tallies);
    let Some(threshold) = failures.threshold_now else {
        return format!("none of {}: there is no circuit breaker", failed(not_counted));
    };
    let rest = if not_counted == 0 { String::new() } else { format!(", {} more not counted", count(not_counted)) };
    let each: Vec<String> = failures
        .tallies
        .iter()
        .filter(|tally| tally.counted + tally.not_counted > 0)
        .map(|tally| format!("{} + {} of r{}", count(tally.counted), count(tally.not_counted), tally.revision))
        .collect();
    let each = if each.len() > 1 { format!("{}; ", each.join(", ")) } else { String::new() };
    format!("{}{rest} ({each}threshold {})", failed(counted), count(threshold))
}

pub(crate) fn alarms(s: &ServiceDeployment, alarms: &[Alarm], found: &Failures) -> Vec<String> {
    if s.alarms.ignored {
        return vec!["ignored: one was in ALARM at the start".into()];
    }
    if s.alarms.status == MonitorStatus::Disabled {
        return Vec::new();
    }
    let fired = |(index, alarm): (usize, &Alarm)| {
        let at = found
            .alarms
            .iter()
            .find(|(at, of, state)| *at >= s.started && *of as usize == index && *state == AlarmState::Alarm);
        let failed = s.alarms.triggered.contains(&(index as u32));
        match at {
            Some((at, ..)) if failed => format!("{} went to ALARM at {} and failed it", alarm.name, clock(*at)),
            Some((at, ..)) => format!("{} went to ALARM at {}", alarm.name, clock(*at)),
            None => format!("{} stayed out of ALARM", alarm.name),
        }
    };
    let mut told: Vec<String> = alarms.iter().enumerate().map(fired).collect();
    if let Some((from, until)) = found.history.last().and_then(|history| history.bake) {
        let ends = if s.failed_by.is_none() { "to" } else { "on, which would have lasted until" };
        told.push(format!("bake time from {} {ends} {}", clock(from), clock(until)));
    }
    told
}

pub(crate) fn protection_end(why: ProtectionEnd) -> &'static str {
    match why {
        ProtectionEnd::Successful => "the deployment is SUCCESSFUL",
        ProtectionEnd::NoCandidate => "there is no COMPLETED deployment to go back to",
        ProtectionEnd::RollbackOff => "nothing that watches rolls back",
        ProtectionEnd::AlarmsIgnored => {
            "the alarms that would roll back are ignored, since one was in ALARM at the start"
        }
        ProtectionEnd::RolledBack => "the rollback has begun",
        ProtectionEnd::Failed => "the deployment failed and nothing rolls back",
        ProtectionEnd::Superseded => "a newer deployment has begun",
        ProtectionEnd::Stopped => "the deployment was stopped",
        ProtectionEnd::NoMonitor => "neither the circuit breaker nor alarms are on",
    }
}

pub(crate) fn protection_ends(at: SimTime, why: ProtectionEnd) -> String {
    format!("ends at {}: {}", clock(at), protection_end(why))
}

pub(crate) fn candidate(candidate: Option<(DeploymentId, u32)>) -> String {
    match candidate {
        Some((_, revision)) => format!("r{revision}, COMPLETED"),
        None => "none: no deployment is COMPLETED".into(),
    }
}

pub(crate) fn trusts(trusts: Trusts) -> &'static str {
    match trusts {
        Trusts::Waiter => "the waiter",
        Trusts::RolloutState => "rolloutState",
        Trusts::FailedEvent => "SERVICE_DEPLOYMENT_FAILED",
        Trusts::CloudFormation => "CloudFormation",
        Trusts::ServiceStatus => "ServiceDeployment.status",
        Trusts::OwnAlarms => "own alarms",
    }
}

pub(crate) fn signal(signal: &Signal, rolled_out: u32) -> String {
    let at = signal.at.map_or_else(String::new, |at| format!(" at {}", clock(at)));
    let rest = match signal.misleads {
        None => String::new(),
        Some(Misleads::OtherRevision(revision)) => format!(", though r{revision} is PRIMARY and not r{rolled_out}"),
        Some(Misleads::FailedLater { at }) => format!(", though the deployment fails at {}", clock(at)),
        Some(Misleads::TasksFail(n)) => format!(", though {} of it fail after that", plural(n, "task", "tasks")),
        Some(Misleads::NotWhole { healthy, desired }) => {
            format!(", though {} of {} are healthy then", count(healthy), count(desired))
        }
    };
    match signal.colour {
        Colour::Green => format!("green{at}{rest}"),
        Colour::Red => format!("red{at}"),
        Colour::Waiting => "says nothing yet".into(),
    }
}

pub(crate) fn watchdog(from: SimTime, until: Option<SimTime>) -> String {
    match until {
        Some(until) => format!("alarm from {} to {}", clock(from), clock(until)),
        None => format!("alarm since {}", clock(from)),
    }
}
