//! Where the traffic goes, moment by moment, and target tracking on it.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::Simulation;
use crate::mechanism::traffic::{self, Flow, Mix, Part, Scaling, Totals, Traffic};
use crate::time::SimTime;
use crate::trace::{Trace, What};

/// The traffic of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct TrafficState {
    /// Steps of the rate that are done.
    rates_done: usize,
    /// Requests a second.
    pub rate: u32,
    /// Where they went since `since`; instants that have not passed are not in it.
    mix: Mix,
    since: SimTime,
    totals: Totals,
}

/// Target tracking at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ScalingState {
    /// It wants more or less since then; absent while the present instant has not passed, or it is content.
    side: Option<(bool, SimTime)>,
    /// It scaled last then.
    last: Option<SimTime>,
}

/// The traffic at a moment, as plain data. Amounts are thousandths of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrafficView {
    /// Requests a second.
    pub rate: u32,
    /// Shares of the moment in thousandths, by revision number; what they lack of 1000 is refused.
    pub shares: Vec<(u32, u32)>,
    /// The greatest load of a target, in thousandths of a request a second.
    pub load: u64,
    /// What a target can answer, in thousandths of a request a second.
    pub most: Option<u64>,
    /// Answered so far by revision number, bad answers included; and the bad ones.
    pub served: Vec<(u32, u64, u64)>,
    /// Amounts so far.
    pub totals: Totals,
    /// Mean time of the answers so far by revision number, in milliseconds.
    pub mean_ms: Vec<(u32, u64)>,
    /// What happens to the requests of this very moment.
    pub flow: Flow,
}

impl TrafficView {
    /// Mean time of all answers so far, in milliseconds.
    pub fn mean_ms(&self) -> u64 {
        traffic::mean_of(self.served.iter().zip(&self.mean_ms).map(|((_, served, _), (_, ms))| (*served, *ms)))
    }
}

impl Simulation {
    /// The traffic of this moment; absent when the scenario has none.
    pub fn traffic(&self) -> Option<TrafficView> {
        let (settings, state) = self.settings.traffic.as_ref().zip(self.traffic.as_ref())?;
        let mut totals = state.totals.clone();
        totals.add(&state.mix, state.since, self.now.since(state.since), settings.per_task);
        let mix = self.mix(settings, state.rate);
        let number = |revision: usize| self.revisions[revision].number;
        let share = |part: &Part| {
            (number(part.revision), (u128::from(part.share) * 1_000 / u128::from(mix.whole.max(1))) as u32)
        };
        let served = totals.served.iter().zip(&totals.bad).enumerate().filter(|(_, (served, _))| **served > 0);
        let served: Vec<(u32, u64, u64)> =
            served.map(|(revision, (served, bad))| (number(revision), *served, *bad)).collect();
        Some(TrafficView {
            rate: state.rate,
            mean_ms: served.iter().map(|(revision, ..)| (*revision, settings.mean(*revision))).collect(),
            shares: mix.parts.iter().map(share).collect(),
            load: mix.top_load(),
            most: settings.per_task.map(|most| u64::from(most) * 1_000),
            served,
            flow: self.flow_of(settings, &mix, totals.cut_off),
            totals,
        })
    }

    /// What happens to the requests of this moment; absent when the scenario has none.
    pub(super) fn flow(&self) -> Option<Flow> {
        let (settings, state) = self.settings.traffic.as_ref().zip(self.traffic.as_ref())?;
        let mix = self.mix(settings, state.rate);
        Some(self.flow_of(settings, &mix, state.totals.cut_off))
    }

    fn flow_of(&self, settings: &Traffic, mix: &Mix, cut_off: u64) -> Flow {
        let revision = |index: usize| {
            let number = self.revisions[index].number;
            (number, settings.mean(number))
        };
        Flow::of(mix, revision, cut_off)
    }

    pub(super) fn traffic_at_start(&mut self) {
        if self.settings.traffic.is_some() {
            self.traffic = Some(TrafficState::default());
            while let Some((SimTime::ZERO, rate)) = self.next_rate() {
                self.set_rate(rate);
            }
        }
        // Nobody scales a DAEMON service: its instances do.
        let daemon = self.settings.cluster().is_some_and(|cluster| cluster.daemon);
        self.scaling = self.settings.scaling.filter(|_| !daemon).map(|_| ScalingState::default());
    }

    /// Whoever was healthy before time 0 had its part of the requests: where one of them stops at once, those that are
    /// open in it are cut off like any others.
    pub(super) fn traffic_before_start(&mut self) {
        let settings = self.settings.clone();
        let Some((traffic, rate)) = settings.traffic.as_ref().zip(self.traffic.as_ref().map(|state| state.rate)) else {
            return;
        };
        let mix = self.mix(traffic, rate);
        if let Some(state) = &mut self.traffic {
            state.mix = mix;
        }
    }

    fn next_rate(&self) -> Option<(SimTime, u32)> {
        let (settings, state) = self.settings.traffic.as_ref().zip(self.traffic.as_ref())?;
        settings.rates.get(state.rates_done).copied()
    }

    fn set_rate(&mut self, rate: u32) {
        if let Some(state) = &mut self.traffic {
            state.rates_done += 1;
            state.rate = rate;
        }
    }

    /// When the rate changes or target tracking scales next, as things are now.
    pub(super) fn traffic_due(&self) -> Option<SimTime> {
        let rate = self.next_rate().map(|(at, _)| at);
        [rate, self.scaling_due().map(|(at, _)| at)].into_iter().flatten().min()
    }

    /// Carries out what is due of it; false when nothing is.
    pub(super) fn traffic_changes(&mut self, trace: &mut Trace) -> bool {
        if let Some((_, rate)) = self.next_rate().filter(|(at, _)| *at <= self.now) {
            self.set_rate(rate);
            self.emit(trace, What::Rate { per_second: rate });
            return true;
        }
        // Counts in the middle of an instant are no level.
        let due = if self.dirty { None } else { self.scaling_due() };
        let Some((_, wanted)) = due.filter(|(at, _)| *at <= self.now) else { return false };
        let from = self.params.desired;
        self.set_desired(wanted);
        self.scaling = Some(ScalingState { side: None, last: Some(self.now) });
        self.dirty = true;
        self.emit(trace, What::Scaled { from, to: wanted });
        true
    }

    /// Tasks that target tracking wants; absent while it is content.
    fn scaling_wants(&self) -> Option<(Scaling, u32)> {
        let (scaling, state) = self.settings.scaling.filter(|_| self.scaling.is_some()).zip(self.traffic.as_ref())?;
        let wanted = traffic::wanted(state.rate, &scaling);
        (wanted != self.params.desired).then_some((scaling, wanted))
    }

    /// When target tracking scales next, and to what. It does not scale in while a deployment is in progress.
    /// Source: Developer Guide, service-auto-scaling.
    fn scaling_due(&self) -> Option<(SimTime, u32)> {
        let (scaling, wanted) = self.scaling_wants()?;
        let state = self.scaling?;
        let out = wanted > self.params.desired;
        if !out && self.services.last().is_some_and(super::ServiceDeployment::is_live) {
            return None;
        }
        let since = state.side.filter(|(side, _)| *side == out).map_or(self.now, |(_, since)| since);
        let (after, cooldown) = if out {
            (traffic::SCALE_OUT_AFTER_MS, scaling.out_cooldown_ms)
        } else {
            (traffic::SCALE_IN_AFTER_MS, scaling.in_cooldown_ms)
        };
        let rested = state.last.map_or(SimTime::ZERO, |last| last + cooldown);
        Some(((since + after).max(rested).max(self.now), wanted))
    }

    /// The present instant passes: what holds from here on is kept where it differs.
    pub(super) fn pass_traffic(&mut self) {
        let settings = self.settings.clone();
        if let (Some(traffic), Some(rate)) = (&settings.traffic, self.traffic.as_ref().map(|state| state.rate)) {
            let (mix, now) = (self.mix(traffic, rate), self.now);
            if let Some(state) = self.traffic.as_mut().filter(|state| state.mix != mix) {
                state.totals.add(&state.mix, state.since, now.since(state.since), traffic.per_task);
                (state.mix, state.since) = (mix, now);
            }
        }
        let side = self.scaling_wants().map(|(_, wanted)| wanted.cmp(&self.params.desired) == Ordering::Greater);
        let now = self.now;
        if let Some(state) = self.scaling.as_mut().filter(|state| state.side.map(|(out, _)| out) != side) {
            state.side = side.map(|out| (out, now));
        }
    }

    /// Where the traffic goes now: each target in rotation gets the same share of its side.
    fn mix(&self, settings: &Traffic, rate: u32) -> Mix {
        let mut mix = Mix { rate, whole: 0, parts: Vec::new() };
        let weighted = self.weights().is_some();
        let open = settings.fail_open && !self.settings.target_groups.is_empty();
        let any_healthy = self.deployments.iter().any(|d| d.tasks.healthy > 0);
        for d in &self.deployments {
            let weight = self.weight(d).unwrap_or(0);
            // With weights every revision has a target group of its own, otherwise all share one.
            let alone = if weighted { d.tasks.healthy == 0 } else { !any_healthy };
            let registered = d.tasks.checking + d.tasks.unhealthy;
            let (targets, bad) = match (d.tasks.healthy, open && alone) {
                (0, false) => (0, (0, 1)),
                // Whoever fails its checks answers badly.
                (0, true) => (registered, (1, 1)),
                (healthy, _) => (healthy, self.revisions[d.revision].behaviour.bad_responses.unwrap_or((0, 1))),
            };
            let share = if weighted { u64::from(weight) } else { u64::from(targets) };
            mix.whole += share;
            if targets > 0 && share > 0 {
                mix.parts.push(Part { revision: d.revision, targets, share, bad });
            }
        }
        mix
    }

    /// A task of a revision gets no more requests: those still open after so many milliseconds are cut off.
    pub(super) fn cut_off(&mut self, revision: usize, after: u64) {
        let settings = self.settings.clone();
        let Some(traffic) = &settings.traffic else { return };
        let number = self.revisions[revision].number;
        let Some(state) = &mut self.traffic else { return };
        let Some(part) = state.mix.part(revision) else { return };
        let share = (part.share, state.mix.whole * u64::from(part.targets));
        state.totals.cut_off += traffic::open_at(state.mix.rate, share, traffic.duration(number), after);
    }

    /// Milliseconds that requests have to end in once their task gets no more: the longest deregistration
    /// delay, or without a load balancer the time until the process is gone.
    pub(super) fn time_to_end(&self, drains: bool, exit: u64) -> u64 {
        let longest = self.settings.target_groups.iter().map(|group| group.deregistration_delay_ms).max();
        match longest {
            Some(delay) if drains => delay,
            Some(_) => 0,
            None => exit,
        }
    }
}
