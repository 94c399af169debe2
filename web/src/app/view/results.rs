//! What the run comes to: the word beside the title, the figures, the headlines, and what is spoken.

use rollscope_engine::SimTime;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, ProtectionEnd};
use rollscope_engine::trace::Record;
use rollscope_insight::guarding::is_uncounted_failure;
use rollscope_insight::{BlockedBy, Outcome, OutcomeKind};
use rollscope_player::{PlayState, Speed, is_failure};
use rollscope_wording::RuleKind;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::{Go, Msg};
use crate::parts::head::Figure;
use crate::text::{self, Label, t};

impl App {
    /// The state of the run beside its title, and whether it is a failure. Plain success needs no
    /// word: the ribbon has it.
    pub(super) fn title_state(&self, moment: &Moment) -> (String, bool) {
        let frame = &moment.frame;
        let told = frame.service_deployments.last().map(text::run_state).unwrap_or_default();
        if !told.is_empty() {
            let failed = frame.service_deployments.last().is_some_and(|service| service.failed_by.is_some());
            return (told, failed);
        }
        let failed = frame.deployments.iter().any(|deployment| deployment.state == RolloutState::Failed);
        let plain = moment.outcome.as_ref().is_none_or(|outcome| outcome.outcome.ends_well());
        (if plain && !failed { String::new() } else { self.say.run_state(frame) }, failed)
    }

    /// The five figures of the whole run: of one that gets done, or of one that fails.
    pub(super) fn results(&self, moment: &Moment) -> Vec<Figure> {
        let failed = moment.outcome.as_ref().and_then(|outcome| {
            let service = outcome.services.last().filter(|service| service.failed_by.is_some())?;
            Some((outcome, service))
        });
        match failed {
            Some((outcome, service)) => self.failed_figures(outcome, service),
            None => {
                let mut list = figures(moment, self.shifts());
                if let (Some(both), Some(drains)) = (list.get_mut(3), self.only_drains(moment)) {
                    both.beside = drains;
                }
                list
            }
        }
    }

    /// The strategy shifts traffic.
    pub(super) fn shifts(&self) -> bool {
        self.model.form.accepted().is_some_and(|accepted| accepted.resolved.settings.strategy.shift().is_some())
    }

    /// Where both revisions never serve at once behind a load balancer, although the old one is there beside the new
    /// one: since it ends requests only.
    fn only_drains(&self, moment: &Moment) -> Option<String> {
        let outcome = moment.outcome.as_ref().filter(|outcome| outcome.figures.both_versions_ms == 0)?;
        let found = self.with_player(|player| self.figures.headlines(player, outcome))?;
        let open = self.with_player(|player| !player.head().settings().target_groups.is_empty());
        let drains = found.0.during.old_leaves_ms + found.0.after.as_ref().map_or(0, |span| span.old_leaves_ms);
        (drains > 0 && open == Some(true)).then(|| text::only_drains(drains))
    }

    #[inline(never)]
    fn failed_figures(&self, outcome: &Outcome, service: &ServiceDeployment) -> Vec<Figure> {
        let found = self.with_player(|player| self.figures.headlines(player, outcome));
        // One that never served is told at its failure.
        let serves_from = outcome.figures.moments.both_versions.map(|(from, _)| from);
        let served = found.map_or(0, |found| found.0.target_served_ms);
        let clock = |at: SimTime| rollscope_draw::ticks::clock(at.ms(), false);
        let failed_at = service.rollback.map(|rollback| rollback.at).or(service.finished);
        let back = outcome.rolled_back_at;
        let or_never = |at: Option<SimTime>| at.map_or_else(|| t(Label::Never).to_owned(), clock);
        let [fewest, most] = least_and_most(Some(outcome), outcome.limits, self.shifts());
        let rule = |rule: RuleKind, figure: Figure| Figure { rule: Some(rule), ..figure };
        let back_on = text::back_on(service.rollback.map(|rollback| rollback.revision));
        let served_for = text::served_for(service.revision);
        let failed = Figure { bad: true, ..Figure::of(t(Label::FailedAfter), or_never(failed_at), failed_at) };
        vec![
            rule(service.failed_by.map_or(RuleKind::Failed, failing_rule), failed),
            rule(RuleKind::Rollback, Figure::of(back_on, or_never(back), back)),
            fewest,
            most,
            rule(RuleKind::Healthy, Figure::of(served_for, clock(SimTime(served)), serves_from.or(failed_at))),
        ]
    }

    /// One line on what a rollout with failures did to its users; nothing where nothing went wrong.
    pub(super) fn headlines(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let told = moment.outcome.as_ref().and_then(|outcome| {
            let found = self.with_player(|player| self.figures.headlines(player, outcome))?;
            let (found, failures) = &*found;
            let wrong = failures.tallies.iter().any(|tally| tally.counted + tally.not_counted > 0)
                || outcome.failures > 0
                || outcome.services.last().is_some_and(|service| service.failed_by.is_some())
                || outcome.services.last().is_some_and(|service| service.gate_met.is_some());
            wrong.then(|| text::headlines(found, &failures.tallies))
        });
        let Some(parts) = told.filter(|parts| !parts.is_empty()) else { return Html::default() };
        // Where there are failures, they stand first: the moment they begin is the one to look at.
        let first = self.with_player(|player| {
            let failed = |record: &&Record| is_failure(&record.what) || is_uncounted_failure(&record.what);
            player.timeline().records().iter().find(failed).map(|record| record.at)
        });
        let part = |(index, part): (usize, &String)| match first.flatten().filter(|_| index == 0) {
            Some(at) => {
                let (on, go) = (on.clone(), text::go_to(&text::clock(at)));
                html! {
                    <><button type="button" class="headline" title={go.clone()} onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(at)))}>
                        { part }<span class="only-read">{ ". " }{ go }</span></button>{ " " }</>
                }
            }
            None => html! { <><span>{ part }</span>{ " " }</> },
        };
        html! { <p class="headlines" id="headlines">{ for parts.iter().enumerate().map(part) }</p> }
    }

    /// What is said in the only live region, but for notes: the verdict when its kind changes, then what happens.
    pub(super) fn spoken(&self, moment: &Moment) -> String {
        let said = self.moment_spoken(moment);
        let Some(verdict) = self.verdict_title(moment).filter(|_| moment.complete) else { return said };
        let mut heard = self.heard_verdict.borrow_mut();
        if heard.0 != verdict {
            // The first one is read like everything else; another one is told once, until something else is.
            let over = (!heard.0.is_empty()).then(|| said.clone());
            *heard = (verdict, over);
        }
        if heard.1.as_ref() == Some(&said) { format!("{}.", heard.0) } else { said }
    }

    /// The kind of the verdict, as the settings panel titles it.
    fn verdict_title(&self, moment: &Moment) -> Option<String> {
        let accepted = self.model.form.accepted()?;
        let kubernetes = || self.kubernetes_title(moment).or_else(|| self.placed_title(moment));
        if let Some(title) = kubernetes().or_else(|| self.asg_title(moment)).or_else(|| self.vm_title(moment)) {
            return Some(title.to_owned());
        }
        Some(self.say.verdict(&self.figures.check(accepted), moment.outcome.as_ref()).0)
    }

    /// The sentence for those who listen: of the moment once the cursor rests, and while it plays
    /// faster than sentences are spoken only of failures. Crossing the border of protection is always said.
    fn moment_spoken(&self, moment: &Moment) -> String {
        let fast = moment.state == PlayState::Playing && moment.speed != Speed::Decisions;
        let rests = self.rests() && !fast;
        let borders = self.with_player(|player| self.figures.borders(player)).unwrap_or_default();
        let border = |found: Option<&(SimTime, ProtectionEnd)>| found.map(|(at, why)| text::border_crossed(*at, *why));
        let now = moment.frame.at;
        let before = self.heard_at.replace(now);
        let crossed = border(borders.iter().rfind(|(at, _)| before < *at && *at <= now));
        // What is narrated of the very moment tells more than the decision.
        let narrated = self.narrated(now);
        let told = narrated.map(|sentence| (now, sentence)).or_else(|| moment.caption.clone());
        if let Some((told, sentence)) = told.filter(|_| rests || moment.failure) {
            // What happens at the border is told with it.
            let here = crossed.or_else(|| border(borders.iter().rfind(|(at, _)| *at == told)));
            let whole = here.map_or_else(|| sentence.clone(), |border| format!("{sentence} {border}"));
            self.last_spoken.replace(whole);
        } else if let Some(border) = crossed {
            self.last_spoken.replace(border);
        }
        self.last_spoken.borrow().clone()
    }
}

/// The rule by which something fails a deployment.
const fn failing_rule(by: FailedBy) -> RuleKind {
    match by {
        FailedBy::Breaker => RuleKind::Breaker,
        FailedBy::Alarm => RuleKind::Alarms,
        FailedBy::Digests => RuleKind::Digests,
        FailedBy::Person => RuleKind::Deploy,
        FailedBy::Hook => RuleKind::Hooks,
        FailedBy::StageLimit => RuleKind::Stages,
    }
}

fn figures(moment: &Moment, shifts: bool) -> Vec<Figure> {
    let outcome = moment.outcome.as_ref();
    let limits = outcome.map_or(moment.frame.counts.limits, |outcome| outcome.limits);
    let or_computing = |value: Option<String>| value.unwrap_or_else(|| "…".to_owned());
    // Where nothing is deployed nothing can be done or not: what changes last is told.
    let deployed = outcome.is_none_or(|o| !o.services.is_empty());
    let ends_at = outcome.and_then(|o| if deployed { o.completed_at } else { Some(o.last_change_at) });
    let done = outcome.map(|o| match ends_at {
        Some(at) => rollscope_draw::ticks::clock(at.ms(), false),
        // It was cut off while all went well.
        None if o.outcome == OutcomeKind::InProgress && o.blocked_by == Some(BlockedBy::Time) => {
            t(Label::NotYet).to_owned()
        }
        None => t(Label::Never).to_owned(),
    });
    let both = outcome.map(|o| rollscope_draw::ticks::clock(o.figures.both_versions_ms, false));
    let figure =
        |rule: RuleKind, name, value, beside, at| Figure { beside, rule: Some(rule), ..Figure::of(name, value, at) };
    let [fewest, most] = least_and_most(outcome, limits, shifts);
    let moments = outcome.map(|outcome| outcome.figures.moments);
    let beside_done = match outcome {
        None => t(Label::Computing).to_owned(),
        // Where traffic is shifted one round starts all there are.
        Some(o) if deployed && o.completed_at.is_some() && o.figures.rounds > 0 && !shifts => {
            text::rounds(o.figures.rounds)
        }
        Some(_) => String::new(),
    };
    let extra = or_computing(outcome.map(|o| text::task_minutes(o.figures.task_ms_extra)));
    let most_extra = moments.map(|m| m.most_extra).filter(|(tasks, _)| *tasks > 0).map(|(_, at)| at);
    let both_from = moments.and_then(|m| m.both_versions).map(|(from, _)| from);
    let name = if deployed { Label::DoneAfter } else { Label::LastChange };
    vec![
        figure(RuleKind::Completion, t(name), or_computing(done), beside_done, ends_at),
        fewest,
        most,
        figure(RuleKind::Healthy, t(Label::Both), or_computing(both), String::new(), both_from),
        figure(RuleKind::StoppingCounts, t(Label::Extra), extra, t(Label::TaskMinutes).to_owned(), most_extra),
    ]
}

/// `shifts`: traffic is shifted, and floor and ceiling bind nobody.
fn least_and_most(outcome: Option<&Outcome>, limits: rollscope_engine::frame::Limits, shifts: bool) -> [Figure; 2] {
    let figure = |label: Label, rule: RuleKind, count: Option<u32>, beside: String, at: Option<SimTime>| {
        let value = count.map_or_else(|| "…".to_owned(), |count| text::number(count.into()));
        Figure { beside, rule: Some(rule), ..Figure::of(t(label), value, at) }
    };
    let moments = outcome.map(|outcome| outcome.figures.moments);
    let (ceiling, floor) = outcome.map_or((limits.ceiling, limits.floor), |outcome| outcome.figures.bounds);
    let (lowest, peak) = (moments.map(|m| m.lowest_healthy), moments.map(|m| m.peak_tasks));
    [
        figure(
            Label::Fewest,
            if shifts { RuleKind::Healthy } else { RuleKind::Floor },
            outcome.map(|o| o.figures.lowest_healthy),
            if shifts { text::of_wanted(limits.desired) } else { text::floor_label(floor) },
            lowest,
        ),
        figure(
            Label::Most,
            if shifts { RuleKind::Stages } else { RuleKind::Ceiling },
            outcome.map(|o| o.figures.peak_tasks),
            if shifts { text::both_revisions().to_owned() } else { text::ceiling_label(ceiling) },
            peak,
        ),
    ]
}
