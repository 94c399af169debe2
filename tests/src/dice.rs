//! Random settings from a seed, the same on every target. Everything the engine accepts can come
//! up: odd percentages, fates inside fates, acts at the same moment, states in the middle of things.

use rollscope_engine::hash::mix;
use rollscope_engine::mechanism::traffic::{Scaling, Traffic};
use rollscope_engine::platform::ecs::rules_shift;
use rollscope_engine::platform::ecs::strategy::{
    Hook, HookAction, HookAnswer, HookAnswers, HookKind, HookReply, ShiftKind,
};
use rollscope_engine::platform::ecs::{AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Shift, Strategy, Threshold};
use rollscope_engine::settings::{
    Act, Alarm, AlarmState, BadResponses, Behaviour, Capacity, Cluster, Command, ContainerCheck, Distribution, Fate,
    HostOrder, HostSpec, NEVER_MS, Needs, Outage, Placement, PlacesStep, Provider, Quotas, Revision, RolloutState,
    Settings, StartDeployment, TargetGroup, TaskName,
};
use rollscope_engine::sim::service_deployment::Stage;
use rollscope_engine::time::SimTime;

use crate::base::{self, S};

/// A stream of choices.
pub struct Dice(u64);

impl Dice {
    /// Choices of this seed.
    pub fn new(seed: u64) -> Dice {
        Dice(mix(seed ^ 0x5eed))
    }

    /// 0 to `n - 1`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = mix(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15));
        ((u128::from(self.0) * u128::from(n)) >> 64) as u64
    }

    fn small(&mut self, n: u32) -> u32 {
        self.below(u64::from(n)) as u32
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn duration(&mut self) -> u64 {
        [0, 1, 7, 900, 5 * S, 15 * S, 40 * S, 90 * S, 400 * S][self.below(9) as usize] + self.below(3)
    }

    fn distribution(&mut self) -> Distribution {
        let (a, b, c) = (self.duration(), self.duration(), self.duration());
        match self.below(6) {
            0 => Distribution::Uniform { min: a, max: a + b },
            1 => Distribution::Triangular { min: a, mode: a + b, max: a + b + c },
            2 => Distribution::Table(vec![(a, 1 + self.small(5)), (b, self.small(3)), (c, 2)]),
            _ => Distribution::Constant(a),
        }
    }

    fn fate(&mut self, depth: u32) -> Fate {
        let inner = |dice: &mut Dice| Box::new(dice.fate(depth + 1));
        match self.below(if depth < 3 { 14 } else { 9 }) {
            0 => Fate::NeverRunning { after: None },
            1 => Fate::NeverRunning { after: Some(self.duration()) },
            2 => Fate::ExitsAfter(self.duration()),
            3 => Fate::NeverPasses,
            4 => Fate::TurnsUnhealthyAfter(self.duration()),
            5 => Fate::Hangs,
            6 => Fate::AboveRunning(self.small(12)),
            9 => Fate::InZone { zone: self.small(3) as u8, fate: inner(self) },
            10 => Fate::Ratio { hits: self.small(4), of: 1 + self.small(5), fate: inner(self) },
            _ => Fate::Healthy,
        }
    }

    fn behaviour(&mut self) -> Behaviour {
        let mut by_start: Vec<(u32, Fate)> = Vec::new();
        for k in 1..=self.small(6) {
            if self.one_in(2) {
                by_start.push((k, self.fate(1)));
            }
        }
        let bad_responses = self.one_in(3).then(|| (self.small(3), 1 + self.small(20)));
        Behaviour { fate: self.fate(0), by_start, bad_responses }
    }

    /// Something a person could do.
    pub fn command(&mut self) -> Command {
        let name = TaskName { revision: 7 + self.small(3), start: 1 + self.small(12) };
        match self.below(13) {
            0 | 1 => Command::Kill(name),
            2 => Command::StopTask(name),
            8 => Command::Interrupt(name),
            9 => Command::SetAlarm { alarm: self.small(3), state: self.alarm_state() },
            10 => Command::StopDeployment,
            11 => Command::Protect { task: name, for_ms: self.one_in(2).then(|| 60 * S * (1 + self.below(20))) },
            12 if self.one_in(2) => Command::Unprotect(name),
            12 => Command::SetSchema(self.small(4)),
            3 => Command::SetDesired(self.small(16)),
            4 => Command::SetPercentages {
                minimum: self.one_in(2).then(|| self.small(101)),
                maximum: self.one_in(2).then(|| 100 + self.small(200)),
            },
            5 => Command::Deploy {
                revision: 7 + self.small(5),
                behaviour: if self.one_in(2) { Some(self.behaviour()) } else { None },
            },
            _ => Command::SetFate { revision: 7 + self.small(3), behaviour: self.behaviour() },
        }
    }

    /// What a person can do on the page: [`Dice::command`], or a desired count that a schedule or a template sets.
    pub fn by_hand(&mut self) -> Command {
        match self.below(6) {
            0 => Command::Schedule(self.small(16)),
            1 => Command::Template { revision: 7 + self.small(5), desired: self.small(16) },
            _ => self.command(),
        }
    }

    fn deployment(&mut self, revision: u32, state: RolloutState) -> StartDeployment {
        let mut n = |most: u32| if self.one_in(2) { self.small(most) } else { 0 };
        StartDeployment {
            revision,
            state,
            failed_tasks: n(3),
            healthy: n(8),
            protected: 0,
            running: n(3),
            pending: n(3),
            unhealthy: n(3),
            stopping: n(3),
        }
    }

    fn alarm_state(&mut self) -> AlarmState {
        [AlarmState::Ok, AlarmState::Alarm, AlarmState::InsufficientData][self.below(3) as usize]
    }

    fn alarm(&mut self) -> Alarm {
        let mut at = 0;
        let changes = (0..self.below(4)).map(|_| {
            at += self.duration();
            (SimTime(at), self.alarm_state())
        });
        let changes = changes.collect();
        let over = (self.small(3), 1 + self.small(20));
        let derived = self.one_in(2).then(|| BadResponses { over, for_ms: self.duration() });
        Alarm { name: "alarm".into(), at_start: self.alarm_state(), changes, derived }
    }

    /// Failure detection and success criteria, each one now and then.
    fn guard(&mut self, params: &mut Params) {
        let threshold = match self.below(3) {
            0 => Threshold::Count(1 + self.small(6)),
            1 => Threshold::BoundedPercent(1 + self.small(100)),
            _ => Threshold::UnboundedPercent(1 + self.small(100)),
        };
        let breaker = Breaker { rollback: !self.one_in(3), reset_on_healthy_task: self.one_in(2), threshold };
        params.breaker = (!self.one_in(3)).then_some(breaker);
        let bake_ms = self.one_in(2).then(|| self.duration());
        let watch = AlarmWatch { rollback: !self.one_in(3), bake_ms, alarm_delay_ms: self.duration() };
        params.alarms = self.one_in(2).then_some(watch);
        let cleanup = [Cleanup::Blocking, Cleanup::Deferred][self.below(2) as usize];
        let early = EarlySuccess { healthy_percent: self.small(101), cleanup };
        params.early_success = self.one_in(2).then_some(early);
        params.readings.placement_failure_counts = self.one_in(2);
        params.readings.literal_stages = self.one_in(3);
        params.readings.hold_source_until_gate = self.one_in(4);
        params.readings.digest_drill = self.one_in(4);
    }

    fn acts(&mut self) -> Vec<Act> {
        let mut acts: Vec<Act> = (0..self.below(7))
            .map(|_| Act { at: SimTime(self.duration() * self.below(4)), command: self.command() })
            .collect();
        acts.sort_by_key(|act| act.at);
        acts
    }

    fn container(&mut self) -> ContainerCheck {
        ContainerCheck {
            interval_ms: 5 * S + self.below(40) * S,
            timeout_ms: 2 * S + self.below(58) * S,
            retries: 1 + self.small(10),
            start_period_ms: self.below(3) * 60 * S,
        }
    }

    fn target_group(&mut self) -> TargetGroup {
        let healthy_threshold = 2 + self.small(9);
        TargetGroup {
            interval_ms: 5 * S + self.below(40) * S,
            timeout_ms: 2 * S + self.below(60) * S,
            healthy_threshold,
            unhealthy_threshold: 2 + self.small(9),
            deregistration_delay_ms: self.duration(),
            new_target_passes: if self.one_in(4) { healthy_threshold } else { 1 },
        }
    }

    fn host(&mut self) -> HostSpec {
        HostSpec {
            cpu: 256 * (1 + self.small(10)),
            memory: 512 * (1 + self.small(10)),
            interfaces: if self.one_in(2) { u32::MAX } else { self.small(5) },
            zone: self.small(3) as u8,
            used_cpu: 128 * self.small(4),
            used_memory: 256 * self.small(3),
            used_interfaces: self.small(2),
            used_port: self.one_in(8),
            from: SimTime(if self.one_in(4) { self.duration() } else { 0 }),
        }
    }

    fn outages(&mut self) -> Vec<Outage> {
        let from = self.duration();
        let until = if self.one_in(4) { SimTime::NEVER } else { SimTime(from + 1 + self.duration()) };
        if self.one_in(2) { vec![Outage { from: SimTime(from), until }] } else { vec![] }
    }

    /// Something that happens to instances.
    pub fn instance_command(&mut self) -> Command {
        let number = 1 + self.small(8);
        match self.below(8) {
            0 => Command::AddInstances { like: number, count: 1 + self.small(3) },
            1 | 2 => Command::DrainInstance(number),
            3 => Command::LoseInstance(number),
            4 => Command::ReclaimInstance(number),
            5 => Command::LoseZone(self.small(3) as u8),
            6 => Command::Schedule(self.small(16)),
            _ => Command::Template { revision: 7 + self.small(4), desired: self.small(12) },
        }
    }

    /// Whole settings on instances of a cluster, with acts on them; now and then traffic is shifted.
    pub fn on_instances(&mut self) -> Settings {
        let mut settings = if self.one_in(4) { self.shifting() } else { self.settings() };
        self.place(&mut settings);
        settings
    }

    /// Puts the tasks on instances of a cluster (now and then on Fargate with outages), with acts on them.
    pub fn place(&mut self, settings: &mut Settings) {
        let needs = Needs {
            cpu: 128 * self.small(5),
            memory: 256 * self.small(5),
            interface: self.one_in(2),
            port: self.one_in(4),
            alone: self.one_in(5),
        };
        let order = [HostOrder::Spread, HostOrder::PackCpu, HostOrder::PackMemory][self.below(3) as usize];
        let hosts: Vec<HostSpec> = (0..self.below(9)).map(|_| self.host()).collect();
        let provider =
            Provider { like: self.host(), most: self.small(12), arrives_ms: self.duration(), shortage: self.outages() };
        let cluster = Cluster {
            first_kind: hosts.len() as u32,
            hosts,
            needs: Needs { alone: needs.alone, ..needs },
            strategy: Placement { zones: !self.one_in(3), order },
            daemon: self.one_in(4),
            provider: self.one_in(3).then_some(provider),
        };
        settings.capacity =
            if self.one_in(10) { Capacity::Fargate(self.outages()) } else { Capacity::Ec2(Box::new(cluster)) };
        settings.rebalancing = self.one_in(2);
        for _ in 0..self.below(5) {
            settings.acts.push(Act { at: SimTime(self.duration() * self.below(5)), command: self.instance_command() });
        }
        settings.acts.sort_by_key(|act| act.at);
    }

    /// One of the three strategies that shift traffic, with hooks.
    fn shift(&mut self) -> Shift {
        let wait = self.duration();
        let (kind, steps) = match self.below(3) {
            0 => (ShiftKind::BlueGreen, rules_shift::blue_green()),
            1 => (ShiftKind::Linear, rules_shift::linear(30 + self.small(971) as u16, wait)),
            _ => (ShiftKind::Canary, rules_shift::canary(1 + self.small(1_000) as u16, wait)),
        };
        let hooks = (0..self.below(4)).map(|_| self.hook()).collect();
        Shift {
            kind,
            steps,
            bake_ms: self.duration(),
            test_listener: self.one_in(2),
            steered: !self.one_in(5),
            extra_ms: if self.one_in(4) { 600 * S } else { 0 },
            hooks,
        }
    }

    fn hook(&mut self) -> Hook {
        let stages = Stage::ALL
            .into_iter()
            .filter(|stage| !matches!(stage, Stage::ScaleUp | Stage::BakeTime | Stage::CleanUp) && self.one_in(4));
        let stages = stages.collect();
        let mut answers = Vec::new();
        for _ in 0..self.below(3) {
            let calls = (0..=self.below(2)).map(|_| self.answer()).collect();
            let run = self.one_in(2).then(|| 1 + self.small(3));
            answers.push(HookAnswers { stage: None, run, calls });
        }
        Hook {
            kind: if self.one_in(3) { HookKind::Pause } else { HookKind::Lambda },
            stages,
            timeout_ms: 60 * S * (1 + self.below(20)),
            on_timeout: if self.one_in(2) { HookAction::Continue } else { HookAction::Rollback },
            answers,
        }
    }

    fn answer(&mut self) -> HookAnswer {
        let status = match self.below(6) {
            0 => HookReply::Failed,
            1 | 2 => HookReply::InProgress,
            _ => HookReply::Succeeded,
        };
        HookAnswer { status, after_ms: self.duration(), call_back_ms: 1 + self.duration() }
    }

    fn traffic(&mut self) -> Traffic {
        let mut at = 0;
        let mut rates = vec![(SimTime::ZERO, self.small(500))];
        for _ in 0..self.below(4) {
            at += self.duration();
            rates.push((SimTime(at), self.small(500)));
        }
        let durations =
            (7..9 + self.small(2)).map(|revision| (revision, vec![(self.duration(), 1), (200, 9)])).collect();
        let per_task = self.one_in(2).then(|| 1 + self.small(60));
        Traffic { rates, durations, per_task, fail_open: self.one_in(2) }
    }

    fn scaling(&mut self) -> Scaling {
        let (min, more, target) = (self.small(6), self.small(10), 60 * (1 + self.small(80)));
        Scaling { min, max: min + more, target, out_cooldown_ms: self.duration(), in_cooldown_ms: self.duration() }
    }

    /// Something a person could do while traffic is shifted.
    pub fn shift_command(&mut self) -> Command {
        if !self.one_in(3) {
            return self.command();
        }
        let hook = self.one_in(3).then(|| 1 + self.small(6));
        let action = if self.one_in(4) { HookAction::Rollback } else { HookAction::Continue };
        Command::ContinueDeployment { hook, action }
    }

    /// Whole settings with a strategy that shifts traffic.
    pub fn shifting(&mut self) -> Settings {
        let mut settings = self.settings();
        settings.strategy = Strategy::Shift(self.shift());
        let params = settings.platform.ecs_mut().expect("an ECS service");
        params.early_success = None;
        if self.one_in(2) {
            // Half of them without accidents, so that traffic moves.
            for revision in &mut settings.revisions {
                *revision = Revision::new(revision.number, Behaviour::default());
            }
            settings.capacity = Capacity::Unlimited;
        }
        if !self.one_in(3) {
            settings.traffic = Some(self.traffic());
            settings.scaling = self.one_in(2).then(|| self.scaling());
        }
        for _ in 0..self.below(4) {
            let command = self.shift_command();
            settings.acts.push(Act { at: SimTime(self.duration() * self.below(6)), command });
        }
        settings.acts.sort_by_key(|act| act.at);
        settings
    }

    /// Whole settings.
    pub fn settings(&mut self) -> Settings {
        let desired = self.small(14);
        let mut settings = base::settings(desired, self.small(101), 100 + self.small(160));
        let params = settings.platform.ecs_mut().expect("an ECS service");
        params.grace_ms = self.duration();
        params.readings.no_check_healthy_after_ms = if self.one_in(4) { 0 } else { 40 * S };
        params.readings.stopping_counts = !self.one_in(4);
        params.readings.start_first = self.one_in(5);
        params.readings.legacy_replacement = self.one_in(5);
        params.readings.unhealthy_batch = self.one_in(4);
        params.readings.unhealthy_one_by_one = self.one_in(4);
        settings.containers = (0..self.below(3)).map(|_| self.container()).collect();
        settings.target_groups = (0..self.below(3)).map(|_| self.target_group()).collect();
        settings.timing.provisioning = self.distribution();
        settings.timing.pull = self.distribution();
        settings.timing.start_up = self.distribution();
        settings.timing.first_check = if self.one_in(2) { Some(self.distribution()) } else { None };
        settings.timing.open_request = self.distribution();
        settings.timing.exit_after_sigterm =
            if self.one_in(4) { Distribution::Constant(NEVER_MS) } else { self.distribution() };
        settings.timing.healthy_after = if self.one_in(5) { Some(self.distribution()) } else { None };
        settings.timing.gone_after = if self.one_in(5) { Some(self.distribution()) } else { None };
        for revision in &mut settings.revisions {
            revision.behaviour = self.behaviour();
        }
        if self.one_in(3) {
            let states = [RolloutState::InProgress, RolloutState::Failed, RolloutState::Completed];
            let state = states[self.below(3) as usize];
            settings.start.deployments = vec![self.deployment(7, RolloutState::Completed), self.deployment(8, state)];
            settings.start.deploy = self.one_in(2).then_some(8 + self.small(2));
        } else if self.one_in(6) {
            settings.start.deployments.clear();
        }
        if self.one_in(4) {
            let (first, later) = (self.duration(), self.duration());
            settings.capacity = Capacity::Places(vec![
                PlacesStep { at: SimTime(first), places: self.small(20) },
                PlacesStep { at: SimTime(first + later), places: 5 + self.small(30) },
            ]);
        }
        if !self.one_in(3) {
            let params = settings.platform.ecs_mut().expect("an ECS service");
            self.guard(params);
            settings.alarms = (0..self.below(3)).map(|_| self.alarm()).collect();
            let later = self.duration();
            settings.schema = vec![(SimTime::ZERO, self.small(3)), (SimTime(1 + later), self.small(4))];
            for revision in &mut settings.revisions {
                revision.expects_schema = self.one_in(3).then(|| self.small(4));
                revision.digest_fails = self.one_in(6);
            }
        }
        settings.acts = self.acts();
        settings.quotas = [Quotas::None, Quotas::Default { fargate: self.one_in(2) }][self.below(2) as usize];
        settings.seed = self.below(1_000);
        settings.until = self.one_in(3).then(|| SimTime(self.duration() * 20));
        settings.event_budget = 5_000;
        settings
    }
}
