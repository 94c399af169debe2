//! A refresh of the run, and how it changes.

use super::Run;
use super::change::Change;
use super::instance::Stage;
use crate::platform::asg::rules_checkpoint::percent;
use crate::platform::asg::status::may_roll_back;
use crate::platform::asg::{Because, NoObject, Progress, StandbyInstances, Status};
use crate::settings::AlarmState;
use crate::time::SimTime;
use crate::trace::{Trace, What};

/// An instance refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refresh {
    /// Which of the run, from 1.
    pub number: u16,
    /// The launch template version it rolls out.
    pub target: u32,
    /// The version that the group had: a rollback goes back to it.
    pub from: u32,
    /// `Status`
    pub status: Status,
    /// `StatusReason`, as data: why it failed or rolls back.
    pub because: Option<Because>,
    /// `StartTime`
    pub started: SimTime,
    /// `EndTime`; absent while it is not over.
    pub ended: Option<SimTime>,
    /// When an instance was last replaced, a wait ended, or the refresh or its rollback began.
    pub progress_at: SimTime,
    /// Most instances without need of replacement that were ready at once.
    pub best: u32,
    /// The highest checkpoint announced; 0 for none.
    pub announced: u32,
    /// A checkpoint holds it until then; NEVER for none.
    pub hold_until: SimTime,
    /// The bake time ends then; NEVER while it does not run.
    pub bake_until: SimTime,
    /// `PercentageComplete`
    pub percent: u32,
}

impl Refresh {
    /// What its rules look at.
    pub(super) const fn progress(&self) -> Progress {
        Progress {
            status: self.status,
            started: self.started,
            progress_at: self.progress_at,
            announced: self.announced,
            hold_until: self.hold_until,
            bake_until: self.bake_until,
        }
    }
}

impl Run {
    /// The refresh that is not over.
    pub fn refresh(&self) -> Option<&Refresh> {
        self.refreshes.last().filter(|refresh| !refresh.status.is_final())
    }

    fn refresh_mut(&mut self) -> Option<&mut Refresh> {
        self.refreshes.last_mut().filter(|refresh| !refresh.status.is_final())
    }

    /// The launch template version of instances that are launched now.
    pub(super) fn launching(&self) -> u32 {
        match self.refresh() {
            Some(refresh) if refresh.status == Status::RollbackInProgress => refresh.from,
            Some(refresh) => refresh.target,
            None => self.version,
        }
    }

    /// `StartInstanceRefresh`; true when the API takes it.
    pub(super) fn start_refresh(&mut self, target: u32, trace: &mut Trace) -> bool {
        let watched = |state: &AlarmState| matches!(state, AlarmState::Alarm | AlarmState::InsufficientData);
        let refused = match (self.refresh(), self.alarms.iter().position(watched)) {
            (Some(_), _) => Some(NoObject::InProgress),
            (None, Some(alarm)) => Some(NoObject::Alarm { alarm: alarm as u32 }),
            (None, None) => None,
        };
        if let Some(why) = refused {
            self.tell(trace, Change::Refused(why));
            return false;
        }
        let (number, from) = (self.refreshes.len() as u16 + 1, self.version);
        if !self.params.desired_configuration {
            self.version = target;
        }
        self.refreshes.push(Refresh {
            number,
            target,
            from,
            status: Status::Pending,
            because: None,
            started: self.now,
            ended: None,
            progress_at: self.now,
            best: 0,
            announced: 0,
            hold_until: SimTime::NEVER,
            bake_until: SimTime::NEVER,
            percent: 0,
        });
        self.tell(trace, Change::Started { refresh: number, target, from });
        let skip = self.params.preferences.skip_matching;
        let leave = self.params.preferences.standby == StandbyInstances::Ignore;
        self.mark_stale(|instance| {
            let left_alone = skip && instance.name.revision == target || leave && instance.stage == Stage::Standby;
            !left_alone
        });
        self.count_percent();
        let best = self.tally().fresh();
        if let Some(refresh) = self.refresh_mut() {
            refresh.best = best;
        }
        self.dirty = true;
        true
    }

    /// What has to be replaced from here on.
    fn mark_stale(&mut self, stale: impl Fn(&super::Instance) -> bool) {
        for slot in 0..self.slots.len() as u32 {
            if self.instance_at(slot).is_some_and(super::Instance::stays) {
                let stale = stale(self.instance(slot));
                self.change(slot, &mut Trace::null(), |instance| instance.stale = stale);
            }
        }
    }

    /// The refresh enters a status.
    pub(super) fn enter(&mut self, to: Status, because: Option<Because>, trace: &mut Trace) {
        let (now, bake_ms) = (self.now, self.params.preferences.bake_ms);
        let Some(refresh) = self.refresh_mut() else { return };
        let from = core::mem::replace(&mut refresh.status, to);
        refresh.because = because.or(refresh.because);
        (refresh.hold_until, refresh.bake_until) = (SimTime::NEVER, SimTime::NEVER);
        if to == Status::Baking {
            refresh.bake_until = now + bake_ms;
        }
        if to.is_final() {
            refresh.ended = Some(now);
        }
        let Refresh { number, target, percent, .. } = *refresh;
        let to_tell = Change::Status { refresh: number, from, to, because, percent };
        self.tell(trace, to_tell);
        match to {
            Status::RollbackInProgress => {
                self.mark_stale(|instance| instance.made_by == number);
                let best = self.tally().fresh();
                if let Some(refresh) = self.refresh_mut() {
                    (refresh.best, refresh.progress_at) = (best, now);
                }
                // What keeps launches of the new version from coming has nothing to say of the old one.
                (self.failures, self.retry_at) = (0, now);
            }
            Status::Successful if self.version != target => {
                self.version = target;
                self.tell(trace, Change::VersionSaved { version: target });
            }
            _ => {}
        }
        if to.is_final() {
            self.mark_stale(|_| false);
            (self.failures, self.retry_at) = (0, now);
        }
        self.dirty = true;
    }

    /// Progress is more instances that are ready and need no replacement than ever before.
    pub(super) fn note_progress(&mut self) {
        self.count_percent();
        let (now, fresh) = (self.now, self.tally().fresh());
        if let Some(refresh) = self.refresh_mut().filter(|refresh| fresh > refresh.best) {
            (refresh.best, refresh.progress_at) = (fresh, now);
        }
    }

    /// During a rollback the percentage goes down: it counts instances of the new version all the time.
    fn count_percent(&mut self) {
        let tally = self.tally();
        let of = self.params.desired.saturating_sub(tally.ignored);
        let Some(refresh) = self.refresh_mut() else { return };
        refresh.percent = match refresh.status {
            Status::RollbackInProgress => percent(tally.stale_ready, of.max(1)),
            _ => percent(tally.fresh(), of),
        };
    }

    /// A checkpoint is reached, or lost because the group grew.
    pub(super) fn checkpoint(&mut self, at: u32, until: SimTime, trace: &mut Trace) {
        let Some(refresh) = self.refresh_mut() else { return };
        let before = core::mem::replace(&mut refresh.announced, at);
        let percent = refresh.percent;
        refresh.hold_until = until;
        let change = if at > before {
            Change::Checkpoint { at, percent, until }
        } else {
            Change::CheckpointLost { at: before, percent }
        };
        self.tell(trace, change);
    }

    /// The delay of a checkpoint is over.
    pub(super) fn resume(&mut self, trace: &mut Trace) {
        let now = self.now;
        let Some(refresh) = self.refresh_mut() else { return };
        (refresh.hold_until, refresh.progress_at) = (SimTime::NEVER, now);
        self.tell(trace, Change::Resumed);
    }

    /// `CancelInstanceRefresh`; true when the API takes it.
    pub(super) fn cancel(&mut self, trace: &mut Trace) -> bool {
        let cancels = |status| matches!(status, Status::InProgress | Status::Baking);
        if !self.refresh().is_some_and(|refresh| cancels(refresh.status)) {
            self.tell(trace, Change::Refused(NoObject::NotFound));
            return false;
        }
        self.enter(Status::Cancelling, Some(Because::Asked), trace);
        true
    }

    /// `RollbackInstanceRefresh`; true when the API takes it.
    pub(super) fn roll_back(&mut self, trace: &mut Trace) -> bool {
        let status = self.refresh().map(|refresh| refresh.status);
        match may_roll_back(status, self.params.desired_configuration, self.params.numbered) {
            Ok(()) => {
                self.enter(Status::RollbackInProgress, Some(Because::Asked), trace);
                true
            }
            Err(why) => {
                self.tell(trace, Change::Refused(why));
                false
            }
        }
    }

    /// An alarm in ALARM is looked at by every refresh.
    pub(super) fn set_alarm(&mut self, alarm: u32, state: AlarmState, trace: &mut Trace) -> bool {
        let Some(known) = self.alarms.get_mut(alarm as usize) else { return false };
        if core::mem::replace(known, state) == state {
            return false;
        }
        self.dirty = true;
        self.emit(trace, What::Alarm { alarm, state });
        true
    }
}
