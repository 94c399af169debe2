//! What happened, in one line of the list of events, in English.

use rollscope_engine::frame::TaskState;
use rollscope_engine::trace::{Record, StopCause, StopCode, TaskChange, TaskRef, What};

use super::reason::who;
use super::{count, is_are, plain_state};
use crate::text::Scene;

/// `n` tasks share what the record tells; its own is the first of them. What is not about tasks
/// alone is told in its whole sentence.
pub fn line(record: &Record, n: u32, scene: &Scene<'_>) -> String {
    match &record.what {
        What::Task { task, change } => {
            format!("{} {}", who(Some(task.name), n), change_of(task, n, change, scene))
        }
        _ => super::record::record(record, n, scene),
    }
}

fn change_of(task: &TaskRef, n: u32, change: &TaskChange, scene: &Scene<'_>) -> String {
    let one = n == 1;
    let pick = |singular: &'static str, plural: &'static str| if one { singular } else { plural };
    let (is, has) = (is_are(n), pick("has", "have"));
    match change {
        TaskChange::Existing { state, .. } => match state {
            TaskState::Healthy => format!("{is} there, healthy"),
            other => format!("{is} there, {}", plain_state(*other)),
        },
        TaskChange::Created { replacement: true, .. } => {
            format!("{} {}", pick("replaces", "replace"), pick("a lost task", "lost tasks"))
        }
        TaskChange::Created { .. } if one => format!("takes slot {}", count(task.slot + 1)),
        TaskChange::Created { .. } => "take a slot each".into(),
        TaskChange::Placed { host, .. } if one => format!("is placed on instance {}", count(*host)),
        TaskChange::Placed { .. } => "are placed on instances".into(),
        TaskChange::Activating => pick("has a place, starts up", "have a place, start up").into(),
        TaskChange::Running if scene.checked => format!("{is} running, checks begin"),
        TaskChange::Running => format!("{is} running"),
        TaskChange::Healthy if scene.behind_load_balancer => {
            format!("{is} healthy, {} traffic", pick("gets", "get"))
        }
        TaskChange::Healthy => format!("{is} healthy"),
        TaskChange::Unhealthy(_) => format!("failed {}", pick("its check", "their checks")),
        TaskChange::UnhealthyInGrace => format!("{} a check, still in grace", pick("fails", "fail")),
        TaskChange::Rechecking => format!("{is} being checked again"),
        TaskChange::StopDecided(cause) => match cause {
            StopCause::Replaced => format!("{is} picked to stop"),
            StopCause::Unhealthy => format!("{is} stopped: unhealthy"),
            StopCause::Surplus => format!("{is} stopped: not wanted any more"),
            StopCause::User => format!("{is} stopped by hand"),
            StopCause::Spot => format!("{is} stopped: Spot capacity taken back"),
            StopCause::Draining => format!("{is} stopped: instance drained"),
            StopCause::HostLost => format!("{is} lost with {} instance", pick("its", "their")),
        },
        TaskChange::Protected { .. } => format!("{is} protected from scale-in"),
        TaskChange::Unprotected => format!("{is} not protected any more"),
        TaskChange::Draining => pick("drains: no new requests", "drain: no new requests").into(),
        TaskChange::Sigterm => pick("gets the stop signal", "get the stop signal").into(),
        TaskChange::Sigkill => format!("{is} killed, too slow to exit"),
        TaskChange::Stopped(StopCode::TaskFailedToStart) => "failed to start".into(),
        TaskChange::Stopped(StopCode::EssentialContainerExited) => {
            pick("is gone, its container exited", "are gone, their containers exited").into()
        }
        TaskChange::Stopped(_) if one => {
            format!("{has} stopped, slot {} is free", count(task.slot + 1))
        }
        TaskChange::Stopped(_) => {
            format!("{has} stopped, {} slots are free", count(n))
        }
    }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::SimTime;
    use rollscope_engine::frame::Counts;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::trace::InstanceId;

    use super::*;

    fn told(change: TaskChange, n: u32) -> String {
        let task = TaskRef { id: InstanceId(0), slot: 0, name: TaskName { revision: 8, start: 3 } };
        let scene = Scene {
            counts: Counts::default(),
            target: None,
            behind_load_balancer: true,
            checked: true,
            acts: &[],
            alarms: &[],
            services: &[],
        };
        line(&Record { at: SimTime(0), what: What::Task { task, change } }, n, &scene)
    }

    #[test]
    fn lines_are_short_and_agree_in_number() {
        let cases = [
            (TaskChange::Activating, 1, "8·3 has a place, starts up"),
            (TaskChange::Healthy, 1, "8·3 is healthy, gets traffic"),
            (TaskChange::Healthy, 5, "8·3 and 4 more are healthy, get traffic"),
            (TaskChange::Sigterm, 1, "8·3 gets the stop signal"),
            (TaskChange::Stopped(StopCode::ServiceSchedulerInitiated), 1, "8·3 has stopped, slot 1 is free"),
            (
                TaskChange::Stopped(StopCode::ServiceSchedulerInitiated),
                4,
                "8·3 and 3 more have stopped, 4 slots are free",
            ),
            (TaskChange::StopDecided(StopCause::Replaced), 2, "8·3 and 1 more are picked to stop"),
        ];
        for (change, n, words) in cases {
            assert_eq!(told(change, n), words);
        }
    }
}
