//! What is worked out once a run and once a setting.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rollscope_engine::settings::TaskName;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ProtectionEnd;
use rollscope_engine::trace::ServiceId;
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::account::{Share, account, task_time, total_shares};
use rollscope_insight::outside::{Signal, known_until, signals};
use rollscope_insight::story::Story;
use rollscope_insight::{
    Change, Check, Failures, GuardRow, Guarding, Headlines, Leaving, MomentChange, Outcome, Promise, Remedy, RunView,
    asg, borders, check, failures, guarding, headlines, kubernetes, leavings, moving, outcome, placed, promise,
    remedies, spared,
};
use rollscope_player::Player;

use super::api::Answers;
use super::chapter::{self, Said};
use super::lines::{Listing, Wanted};
use super::moment::Scenes;
use super::protection::past;
use crate::form::Accepted;
use crate::parts::account::Times;

/// A value with what it was worked out for.
pub struct Kept<K, V>(RefCell<Option<(K, V)>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Kept<K, V> {
        Kept(RefCell::new(None))
    }
}

impl<K: PartialEq, V: Clone> Kept<K, V> {
    /// The value for this key: the kept one, or a new one.
    pub fn get(&self, key: K, make: impl FnOnce() -> V) -> V {
        let mut kept = self.0.borrow_mut();
        match &*kept {
            Some((of, value)) if *of == key => value.clone(),
            _ => {
                let value = make();
                *kept = Some((key, value.clone()));
                value
            }
        }
    }

    fn forget(&self) {
        self.0.replace(None);
    }
}

/// How much of which branch is computed.
type Computed = (u32, usize, bool);

fn computed(player: &Player) -> Computed {
    (player.active().0, player.timeline().records().len(), player.complete())
}

/// Up to this many tasks a proposed change is computed to its end.
const CHANGED_MAX: u32 = 50;

/// What is worked out once a run and once a setting.
#[derive(Default)]
pub struct Cache {
    check: RefCell<Option<(Rc<Accepted>, Check)>>,
    changed: RefCell<Option<(Rc<Accepted>, Rc<[Option<Promise>]>)>>,
    outcome: Kept<Computed, Outcome>,
    kubernetes: Kept<Computed, Rc<kubernetes::Outcome>>,
    placed: Kept<Computed, Rc<placed::Outcome>>,
    asg: Kept<Computed, Rc<asg::Outcome>>,
    vm: Kept<Computed, Rc<rollscope_insight::vm::Outcome>>,
    cures: Kept<Computed, Rc<[Change]>>,
    leavings: Kept<Computed, Rc<[Leaving]>>,
    promises: Kept<(Computed, Vec<Change>), Rc<[Option<Promise>]>>,
    moving: Kept<Computed, Rc<[Change]>>,
    scenes: Kept<Computed, Rc<Scenes>>,
    lines: Kept<(Computed, Wanted), Rc<Listing>>,
    guards: Kept<Computed, Rc<[GuardRow]>>,
    times: Kept<Computed, Option<Rc<Times>>>,
    story: Kept<(Computed, TaskName), Option<Rc<Story>>>,
    task_time: Kept<(Computed, TaskName), Rc<[Share]>>,
    hovered: Kept<(Computed, TaskName), Option<Rc<Story>>>,
    changes: Kept<(Computed, SimTime), Rc<[MomentChange]>>,
    headlines: Kept<Computed, Rc<(Headlines, Failures)>>,
    borders: Kept<Computed, Rc<[(SimTime, ProtectionEnd)]>>,
    chapters: Kept<(Computed, usize), Rc<[Said]>>,
    remedies: Kept<Computed, Rc<[Remedy]>>,
    guarding: Kept<(Computed, SimTime), Option<Rc<Guarding>>>,
    signals: Kept<(Computed, ServiceId), Rc<[Signal]>>,
    answers: Kept<(Computed, SimTime), Rc<Answers>>,
    /// The moment the answers are about, and the one before.
    looked: Cell<(Option<SimTime>, Option<SimTime>)>,
}

impl Cache {
    /// The evaluation at time 0.
    pub fn check(&self, accepted: &Rc<Accepted>) -> Check {
        let mut kept = self.check.borrow_mut();
        match &*kept {
            Some((of, found)) if Rc::ptr_eq(of, accepted) => found.clone(),
            _ => {
                let found = check(&accepted.resolved);
                *kept = Some((Rc::clone(accepted), found.clone()));
                found
            }
        }
    }

    /// What becomes of the rollout with each of the smallest changes; nothing for services that take
    /// longer to compute than a frame lasts.
    pub fn changed(&self, accepted: &Rc<Accepted>) -> Rc<[Option<Promise>]> {
        let mut kept = self.changed.borrow_mut();
        match &*kept {
            Some((of, found)) if Rc::ptr_eq(of, accepted) => Rc::clone(found),
            _ => {
                let small = accepted.resolved.limits.desired <= CHANGED_MAX;
                let changes = if small { self.check(accepted).changes } else { Vec::new() };
                let settings = &accepted.resolved.settings;
                let found = changes.iter().map(|change| promise(settings, change)).collect();
                *kept = Some((Rc::clone(accepted), Rc::clone(&found)));
                found
            }
        }
    }

    /// The outcome of a computed run.
    pub fn outcome(&self, player: &Player) -> Option<Outcome> {
        let complete = player.complete() && player.head().ecs().is_some();
        complete.then(|| self.outcome.get(computed(player), || outcome(RunView::of_player(player))))
    }

    /// The outcome of a computed run of a Kubernetes Deployment.
    pub fn kubernetes(
        &self,
        player: &Player,
        make: impl FnOnce() -> Rc<kubernetes::Outcome>,
    ) -> Rc<kubernetes::Outcome> {
        self.kubernetes.get(computed(player), make)
    }

    /// The outcome of a computed run of a StatefulSet or a DaemonSet.
    pub fn placed(&self, player: &Player, make: impl FnOnce() -> Rc<placed::Outcome>) -> Rc<placed::Outcome> {
        self.placed.get(computed(player), make)
    }

    /// The outcome of a computed run of an Auto Scaling group.
    pub fn asg(&self, player: &Player, make: impl FnOnce() -> Rc<asg::Outcome>) -> Rc<asg::Outcome> {
        self.asg.get(computed(player), make)
    }

    /// The outcome of a computed run of a group of virtual machines.
    pub fn vm(
        &self,
        player: &Player,
        make: impl FnOnce() -> Rc<rollscope_insight::vm::Outcome>,
    ) -> Rc<rollscope_insight::vm::Outcome> {
        self.vm.get(computed(player), make)
    }

    /// What would let a computed run get done, or spare it its troubles.
    pub fn cures(&self, player: &Player, accepted: &Rc<Accepted>, outcome: &Outcome) -> Rc<[Change]> {
        let resolved = &accepted.resolved;
        self.cures.get(computed(player), || spared(resolved, &self.check(accepted), outcome).into())
    }

    /// Every task that left the rotation with requests.
    pub fn leavings(&self, player: &Player) -> Rc<[Leaving]> {
        self.leavings.get(computed(player), || leavings(RunView::of_player(player)).into())
    }

    /// What each of these changes of a computed run comes to, in their order.
    pub fn promises(&self, player: &Player, accepted: &Accepted, of: Vec<Change>) -> Rc<[Option<Promise>]> {
        let settings = &accepted.resolved.settings;
        let run = || of.iter().map(|change| promise(settings, change)).collect();
        self.promises.get((computed(player), of.clone()), run)
    }

    /// What lets the first step of a computed run do something, and the run end better.
    pub fn moving(&self, player: &Player, accepted: &Accepted, check: &Check, outcome: &Outcome) -> Rc<[Change]> {
        self.moving.get(computed(player), || moving(&accepted.resolved, check, outcome).into())
    }

    /// What the sentences of the run refer to.
    pub fn scenes(&self, player: &Player, make: impl FnOnce() -> Scenes) -> Rc<Scenes> {
        self.scenes.get(computed(player), || Rc::new(make()))
    }

    /// The list of events.
    pub fn lines(&self, player: &Player, wanted: &Wanted, scenes: &Scenes) -> Rc<Listing> {
        let records = player.timeline().records();
        self.lines.get((computed(player), wanted.clone()), || Rc::new(Listing::new(records, wanted, scenes)))
    }

    /// The guards.
    pub fn guards(&self, player: &Player) -> Rc<[GuardRow]> {
        self.guards.get(computed(player), || rollscope_insight::guards(RunView::of_player(player)).into())
    }

    /// Where the time of a computed run goes.
    pub fn times(&self, player: &Player) -> Option<Rc<Times>> {
        let run = RunView::of_player(player);
        let times = || account(run).map(|account| Rc::new(Times { account, tasks: total_shares(run) }));
        if player.complete() { self.times.get(computed(player), times) } else { None }
    }

    /// Where the time of the selected task went.
    pub fn task_time(&self, player: &Player, story: &Story) -> Rc<[Share]> {
        let time = || task_time(RunView::of_player(player), story.id).unwrap_or_default().into();
        self.task_time.get((computed(player), story.name), time)
    }

    /// The life of the selected task.
    pub fn story(&self, player: &Player, name: TaskName) -> Option<Rc<Story>> {
        self.story.get((computed(player), name), || story(player, name))
    }

    /// The life of the task under the pointer.
    pub fn hovered(&self, player: &Player, name: TaskName) -> Option<Rc<Story>> {
        self.hovered.get((computed(player), name), || story(player, name))
    }

    /// What would make something happen at the cursor.
    pub fn changes(&self, player: &Player) -> Rc<[MomentChange]> {
        let changes = || rollscope_insight::moment::changes(player).into();
        self.changes.get((computed(player), player.now()), changes)
    }

    /// What a computed run did to those who use the service, and what was counted in it.
    pub fn headlines(&self, player: &Player, outcome: &Outcome) -> Rc<(Headlines, Failures)> {
        let found = || {
            let run = RunView::of_player(player);
            Rc::new((headlines(run, &outcome.services), failures(run, &outcome.services)))
        };
        self.headlines.get(computed(player), found)
    }

    /// What would let a computed run that fails end otherwise.
    pub fn remedies(&self, player: &Player, accepted: &Accepted, outcome: &Outcome) -> Rc<[Remedy]> {
        // The settings of the document have the acts in them; those of a run are without.
        self.remedies.get(computed(player), || remedies(&accepted.resolved.settings, outcome).into())
    }

    /// What guards the newest rollout at the cursor.
    pub fn guarding(&self, player: &Player, frame: &Frame) -> Option<Rc<Guarding>> {
        let settings = player.head().settings();
        let found = || guarding(past(player), frame, settings).map(Rc::new);
        self.guarding.get((computed(player), player.now()), found)
    }

    /// What pipelines see of a rollout in the end.
    pub fn signals(&self, player: &Player, service: &ServiceDeployment) -> Rc<[Signal]> {
        let run = RunView::of_player(player);
        self.signals.get((computed(player), service.id), || signals(run, service, known_until(run)).into())
    }

    /// What the APIs answer at the cursor; `ask` is told which moment was looked at before.
    pub fn answers(&self, player: &Player, ask: impl FnOnce(Option<SimTime>) -> Answers) -> Rc<Answers> {
        let (now, before) = self.looked.get();
        if now != Some(player.now()) {
            self.looked.set((Some(player.now()), now));
        }
        let before = if now == Some(player.now()) { before } else { now };
        self.answers.get((computed(player), player.now()), || Rc::new(ask(before)))
    }

    /// From when on automatic rollback does not protect.
    pub fn borders(&self, player: &Player) -> Rc<[(SimTime, ProtectionEnd)]> {
        self.borders.get(computed(player), || borders(RunView::of_player(player)).into())
    }

    /// The narrated steps of a computed run.
    pub fn chapters(&self, player: &Player, accepted: &Rc<Accepted>) -> Rc<[Said]> {
        if !player.complete() {
            return Rc::from([]);
        }
        let of = Rc::as_ptr(accepted) as usize;
        self.chapters.get((computed(player), of), || chapter::said(player, accepted))
    }

    /// Another run: the same numbers may mean something else.
    pub fn forget(&self) {
        self.outcome.forget();
        self.kubernetes.forget();
        self.placed.forget();
        self.asg.forget();
        self.vm.forget();
        self.cures.forget();
        self.promises.forget();
        self.leavings.forget();
        self.moving.forget();
        self.scenes.forget();
        self.lines.forget();
        self.guards.forget();
        self.times.forget();
        self.story.forget();
        self.task_time.forget();
        self.hovered.forget();
        self.changes.forget();
        self.headlines.forget();
        self.borders.forget();
        self.chapters.forget();
        self.guarding.forget();
        self.remedies.forget();
        self.signals.forget();
        self.answers.forget();
        self.looked.take();
    }
}

fn story(player: &Player, name: TaskName) -> Option<Rc<Story>> {
    let run = RunView::of_player(player);
    rollscope_insight::story(run, rollscope_insight::story::find(run, name)?).map(Rc::new)
}
