//! Service events in the form of `DescribeServices`.
//!
//! The texts are the service's own, so they stay English in every language. Forms: events
//! captured from real accounts, and the titles of the Developer Guide page
//! service-event-messages-list. Names of tasks stand where the service puts identifiers.

use rollscope_engine::mechanism::host::Resource;
use rollscope_engine::settings::TaskName;
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_engine::trace::FailedCheck;
use rollscope_insight::service_events::NoPlace;
use rollscope_insight::{ServiceEvent, ServiceEventKind, names};

use crate::time::task;

/// The closest instance and why it takes no task. Sources: Developer Guide, service-event-messages-list (CPU units,
/// port in use, `encountered error`); API `ServiceEvent` examples and captured events (memory, `RESOURCE:ENI`). What the
/// service says of an instance that has a task already, with one allowed on each, stands nowhere: nothing is added.
fn closest_instance(number: u16, lacks: Resource) -> Option<String> {
    let why = match lacks {
        Resource::Cpu => "has insufficient CPU units available",
        Resource::Memory => "has insufficient memory available",
        Resource::Port => "is already using a port required by your task",
        Resource::Interface => "encountered error \"RESOURCE:ENI\"",
        Resource::Alone => return None,
    };
    let name = super::hosts::host_name(u32::from(number));
    Some(format!(" The closest matching (container-instance {name}) {why}."))
}

/// More tasks than this are counted, not listed.
const LISTED: usize = 10;

fn list(tasks: &[TaskName]) -> String {
    let mut text: Vec<String> = tasks.iter().take(LISTED).map(|name| format!("(task {})", task(*name))).collect();
    if tasks.len() > LISTED {
        text.push(format!("and {} more", tasks.len() - LISTED));
    }
    text.join(" ")
}

pub(super) fn message(event: &ServiceEvent, service: &str) -> String {
    let body = match &event.kind {
        ServiceEventKind::Started { tasks, replacing } => {
            let why = match replacing {
                0 => String::new(),
                n => format!(" Amazon ECS replaced {n} tasks due to an unhealthy status."),
            };
            format!("has started {} tasks: {}.{why}", tasks.len(), list(tasks))
        }
        ServiceEventKind::Registered(n) => format!("registered {n} targets in (target-group)."),
        ServiceEventKind::StoppedRunning(tasks) => {
            format!("has stopped {} running tasks: {}.", tasks.len(), list(tasks))
        }
        ServiceEventKind::StoppedPending(n) => format!("has stopped {n} pending tasks."),
        ServiceEventKind::Deregistered(n) => format!("deregistered {n} targets in (target-group)."),
        ServiceEventKind::Draining(n) => format!("has begun draining connections on {n} tasks."),
        ServiceEventKind::Unhealthy { task: name, check: FailedCheck::Target | FailedCheck::Platform } => {
            format!("(task {}) is unhealthy in (target-group) due to (reason Health checks failed).", task(*name))
        }
        ServiceEventKind::Unhealthy { task: name, check: FailedCheck::Container } => {
            format!("(task {}) failed container health checks.", task(*name))
        }
        ServiceEventKind::Steady => "has reached a steady state.".into(),
        ServiceEventKind::Completed(id) => format!("(deployment {}) deployment completed.", names::deployment(*id)),
        ServiceEventKind::Failed { id, by } => {
            let why = match by {
                FailedBy::Alarm => "alarm detected",
                FailedBy::Hook => "lifecycle hook failed",
                FailedBy::StageLimit => "lifecycle stage timed out",
                FailedBy::Breaker | FailedBy::Digests | FailedBy::Person => "tasks failed to start",
            };
            format!("(deployment {}) deployment failed: {why}.", names::deployment(*id))
        }
        ServiceEventKind::RollingBack(id) => format!("rolling back to deployment {}.", names::deployment(*id)),
        ServiceEventKind::Protected { id, tasks } => format!(
            "was unable to reach steady state because (taskSet {}) was unable to scale in due to (reason {tasks} tasks \
             under protection).",
            names::deployment(*id)
        ),
        ServiceEventKind::CannotPlace(NoPlace::Fargate) => {
            "was unable to place a task. Reason: Capacity is unavailable at this time. Please try again later or in a \
             different availability zone."
                .into()
        }
        ServiceEventKind::CannotPlace(NoPlace::Instances(closest)) => {
            let none = "was unable to place a task because no container instance met all of its requirements.";
            let more = closest.and_then(|(number, lacks)| closest_instance(number, lacks));
            format!("{none}{}", more.unwrap_or_default())
        }
        ServiceEventKind::PartialLaunch { id, tasks } => {
            format!("could not launch {tasks} tasks for deployment {}.", names::deployment(*id))
        }
        ServiceEventKind::ProvisioningLimit => {
            "was unable to place tasks because the provisioning capacity limit was exceeded.".into()
        }
        ServiceEventKind::StartImpaired => "is unable to consistently start tasks successfully.".into(),
        ServiceEventKind::ConfigurationBlocks => {
            "was unable to stop or start tasks during a deployment because of the service deployment configuration."
                .into()
        }
        ServiceEventKind::Throttled => "operations are being throttled. Will try again later.".into(),
    };
    format!("(service {service}) {body}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::SimTime;

    #[test]
    fn without_room_the_closest_instance_is_named() {
        let says = |closest| {
            let kind = ServiceEventKind::CannotPlace(NoPlace::Instances(closest));
            message(&ServiceEvent { at: SimTime::ZERO, kind }, "web")
        };
        let none =
            "(service web) was unable to place a task because no container instance met all of its requirements.";
        assert_eq!(says(None), none);
        let table = [
            (Resource::Cpu, " The closest matching (container-instance i-3) has insufficient CPU units available."),
            (Resource::Memory, " The closest matching (container-instance i-3) has insufficient memory available."),
            (
                Resource::Port,
                " The closest matching (container-instance i-3) is already using a port required by your task.",
            ),
            (Resource::Interface, " The closest matching (container-instance i-3) encountered error \"RESOURCE:ENI\"."),
            (Resource::Alone, ""),
        ];
        for (lacks, more) in table {
            assert_eq!(says(Some((3, lacks))), format!("{none}{more}"));
        }
    }
}
