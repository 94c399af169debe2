//! Where automatic rollback does not protect: the one reading of it, for every picture and every sentence.
//!
//! Read from the records, which say when a service deployment begins, which monitors it has and when
//! they stop. Protection belongs to one service deployment and does not come back for it; a rollback
//! is not protected itself, because a trip during it ends as ROLLBACK_FAILED (4.6, rule 7).
//!
//! ```text
//! 0:00 begins, breaker on            protected
//! 0:35 the third failure trips it    a lapse begins (RolledBack), a border
//! 1:20 ROLLBACK_SUCCESSFUL           the same lapse
//! 5:00 the next one begins           protected again
//! ```

use alloc::vec::Vec;

use crate::sim::service_deployment::{MonitorStatus, ProtectionEnd};
use crate::time::SimTime;
use crate::trace::{Record, ServiceChange, ServiceId, What};

/// A span in which nothing would be rolled back by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lapse {
    /// Its begin.
    pub from: SimTime,
    /// The begin of the next protected service deployment; NEVER while it goes on.
    pub until: SimTime,
    /// The service deployment that is not protected.
    pub service: ServiceId,
    /// Why not.
    pub why: ProtectionEnd,
    /// Automatic rollback did protect right before `from`, or before the lapse that ends there. False
    /// from the begin of a run, and of a service deployment that nobody watched or could roll back.
    pub border: bool,
}

/// A span without protection for whatever reasons, as pictures show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unprotected {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub until: SimTime,
    /// A border stands at its begin: before it, automatic rollback protected.
    pub border: bool,
}

/// The lapses of a run, read as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lapses {
    list: Vec<Lapse>,
    /// Records that were looked at.
    read: usize,
    /// When the newest service deployment began; absent before the first one.
    began: Option<SimTime>,
    /// A lapse that begins with it begins at a border, or goes on from one.
    border: bool,
}

impl Lapses {
    /// Of a run.
    pub fn of(records: &[Record]) -> Lapses {
        let mut lapses = Lapses::default();
        lapses.follow(records);
        lapses
    }

    /// Reads on where the run has grown.
    pub fn follow(&mut self, records: &[Record]) {
        for record in records.get(self.read..).unwrap_or_default() {
            self.read(record);
        }
    }

    /// Reads the next record.
    pub fn read(&mut self, record: &Record) {
        self.read += 1;
        if let What::Service { id, change } = record.what {
            self.read_change(record.at, id, change);
        }
    }

    /// The lapse that goes on behind the last record that was read.
    pub fn now(&self) -> Option<&Lapse> {
        self.list.last().filter(|last| last.until == SimTime::NEVER)
    }

    fn read_change(&mut self, at: SimTime, service: ServiceId, change: ServiceChange) {
        match change {
            ServiceChange::Began { .. } => {
                self.close(at);
                let before = self.list.last().filter(|last| last.until == at);
                // One that was protected up to now may end at this moment.
                self.border = before.map_or(self.began.is_some(), |last| last.border);
                self.began = Some(at);
                self.open(at, service, ProtectionEnd::NoMonitor);
            }
            // Monitors are told of at the begin; that one stops is told of when protection has ended.
            ServiceChange::Breaker(MonitorStatus::Monitoring) | ServiceChange::Alarms(MonitorStatus::Monitoring)
                if Some(at) == self.began =>
            {
                self.close(at);
            }
            ServiceChange::ProtectionEnded(why) => {
                self.close(at);
                self.open(at, service, why);
            }
            _ => {}
        }
    }

    fn open(&mut self, from: SimTime, service: ServiceId, why: ProtectionEnd) {
        let border = self.border || Some(from) != self.began;
        self.list.push(Lapse { from, until: SimTime::NEVER, service, why, border });
    }

    /// Ends the lapse that goes on; one that held for no time at all never was.
    fn close(&mut self, at: SimTime) {
        let Some(last) = self.list.last_mut().filter(|last| last.until == SimTime::NEVER) else { return };
        last.until = at;
        if last.from == at {
            self.list.pop();
        }
    }

    /// All of them, ascending; the last one may go on.
    pub fn list(&self) -> &[Lapse] {
        &self.list
    }

    /// The one that holds at a moment.
    pub fn at(&self, at: SimTime) -> Option<&Lapse> {
        let next = self.list.partition_point(|lapse| lapse.from <= at);
        self.list.get(next.checked_sub(1)?).filter(|lapse| at < lapse.until)
    }

    /// The border behind which a moment lies: a task that is started then is started unprotected.
    /// Absent also where there never was any protection to leave behind.
    pub fn border_before(&self, at: SimTime) -> Option<SimTime> {
        let mut first = self.at(at).filter(|lapse| lapse.border)?;
        let index = self.list.partition_point(|lapse| lapse.from < first.from);
        for before in self.list[..index].iter().rev().take_while(|before| before.border) {
            if before.until != first.from {
                break;
            }
            first = before;
        }
        Some(first.from)
    }

    /// The spans without protection up to `until`, ascending and apart from each other.
    pub fn spans(&self, until: SimTime) -> Vec<Unprotected> {
        let mut spans: Vec<Unprotected> = Vec::new();
        for lapse in self.list.iter().filter(|lapse| lapse.from < until) {
            let end = lapse.until.min(until);
            match spans.last_mut() {
                Some(last) if last.until == lapse.from => last.until = end,
                _ => spans.push(Unprotected { from: lapse.from, until: end, border: lapse.border }),
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::sim::service_deployment::ServiceStatus;
    use crate::trace::DeploymentId;

    const END: SimTime = SimTime(100);

    /// What is told of service deployment `id` at a moment.
    fn told(at: u64, id: u16, change: ServiceChange) -> Record {
        Record { at: SimTime(at), what: What::Service { id: ServiceId(id), change } }
    }

    fn began(at: u64, id: u16) -> [Record; 1] {
        [told(at, id, ServiceChange::Began { deployment: DeploymentId(1), revision: 8, sources: 1 })]
    }

    /// It begins, and the breaker watches.
    fn watched(at: u64, id: u16) -> [Record; 2] {
        [began(at, id)[0], told(at, id, ServiceChange::Breaker(MonitorStatus::Monitoring))]
    }

    fn ended(at: u64, id: u16, why: ProtectionEnd) -> [Record; 1] {
        [told(at, id, ServiceChange::ProtectionEnded(why))]
    }

    /// Each span: from, until, border; and each lapse's reason.
    fn read(parts: &[&[Record]]) -> (Vec<(u64, u64, bool)>, Vec<ProtectionEnd>) {
        let records = parts.concat();
        let lapses = Lapses::of(&records);
        for k in 0..records.len() {
            let mut grown = Lapses::of(&records[..k]);
            grown.follow(&records);
            assert_eq!(grown, lapses, "{k}");
        }
        let spans = lapses.spans(END).iter().map(|span| (span.from.0, span.until.0, span.border)).collect();
        (spans, lapses.list().iter().map(|lapse| lapse.why).collect())
    }

    #[test]
    fn it_ends_with_the_success_or_with_the_trip() {
        use ProtectionEnd::{RolledBack, Successful};
        assert_eq!(read(&[]).0, []);
        assert_eq!(read(&[&watched(0, 0)]).0, []);
        let success = read(&[&watched(0, 0), &ended(40, 0, Successful)]);
        assert_eq!(success, (vec![(40, 100, true)], vec![Successful]));
        // The rollback that begins is not protected itself, nor is what follows it.
        let done =
            ServiceChange::Status { from: ServiceStatus::RollbackInProgress, to: ServiceStatus::RollbackSuccessful };
        let rolled_back = read(&[&watched(0, 0), &ended(40, 0, RolledBack), &[told(70, 0, done)]]);
        assert_eq!(rolled_back, (vec![(40, 100, true)], vec![RolledBack]));
    }

    #[test]
    fn what_never_was_protected_has_no_border() {
        use ProtectionEnd::{NoCandidate, NoMonitor, RollbackOff};
        assert_eq!(read(&[&began(0, 0)]), (vec![(0, 100, false)], vec![NoMonitor]));
        for why in [NoCandidate, RollbackOff] {
            assert_eq!(read(&[&watched(0, 0), &ended(0, 0, why)]), (vec![(0, 100, false)], vec![why]));
        }
        // Alarms that are ignored watch nothing.
        let ignored = [told(0, 0, ServiceChange::AlarmsIgnored)];
        assert_eq!(read(&[&began(0, 0), &ignored, &ended(0, 0, RollbackOff)]).1, [RollbackOff]);
    }

    #[test]
    fn the_next_service_deployment_is_protected_again() {
        use ProtectionEnd::{NoCandidate, RolledBack, Successful, Superseded};
        let first = [&watched(0, 0)[..], &ended(40, 0, Successful)].concat();
        assert_eq!(read(&[&first, &watched(60, 1), &ended(80, 1, Successful)]).0, [(40, 60, true), (80, 100, true)]);
        // One that takes the place of another leaves no gap.
        let taken = [&watched(0, 0)[..], &ended(40, 0, Superseded)].concat();
        assert_eq!(read(&[&taken, &watched(40, 1), &ended(90, 1, Successful)]).0, [(90, 100, true)]);
        // Deployment 3 finds no candidate while Deployment 1 is still being restored: one span.
        let second = [&watched(0, 0)[..], &ended(40, 0, RolledBack)].concat();
        let third = read(&[&second, &watched(60, 1), &ended(60, 1, NoCandidate)]);
        assert_eq!(third, (vec![(40, 100, true)], vec![RolledBack, NoCandidate]));
        // One without a candidate takes the place of a protected one: a border.
        let none = [&watched(0, 0)[..], &ended(50, 0, Superseded), &watched(50, 1), &ended(50, 1, NoCandidate)];
        assert_eq!(read(&none).0, [(50, 100, true)]);
    }

    #[test]
    fn a_moment_is_beyond_a_border_or_not() {
        let records = [&watched(0, 0)[..], &ended(40, 0, ProtectionEnd::Successful), &watched(60, 1)].concat();
        let lapses = Lapses::of(&records);
        let border = |lapses: &Lapses, at| lapses.border_before(SimTime(at)).map(|at| at.0);
        assert_eq!([0, 39, 40, 59, 60].map(|at| border(&lapses, at)), [None, None, Some(40), Some(40), None]);
        let never = Lapses::of(&began(0, 0));
        assert!(never.at(SimTime(9)).is_some() && border(&never, 9).is_none());
        // The third deployment does not bring protection back: the border is the one of the second.
        let second = [&watched(0, 0)[..], &ended(40, 0, ProtectionEnd::RolledBack)].concat();
        let third = [&second[..], &watched(60, 1), &ended(60, 1, ProtectionEnd::NoCandidate)].concat();
        assert_eq!(border(&Lapses::of(&third), 80), Some(40));
    }
}
