//! Above two walls: the stage a deployment that shifts traffic is in, its clock, and what somebody may do.

use rollscope_engine::Frame;
use rollscope_engine::platform::ecs::rules_hooks::{HookRun, HookStatus};
use rollscope_engine::platform::ecs::strategy::HookAction;
use rollscope_engine::settings::Command;
use web_sys::MouseEvent;
use yew::prelude::*;

use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// The head: the exact name of the stage, since when and until when, hooks that have not answered, buttons.
pub fn head(frame: &Frame, on: &Callback<Msg>) -> Option<Html> {
    let (shift, service) = (frame.shift.as_ref()?, frame.service_deployments.last()?);
    let open = |run: &&HookRun| !run.status.is_final();
    let runs: Vec<&HookRun> = shift.runs.iter().filter(|_| service.is_live()).filter(open).collect();
    // To roll back is one of the answers to a pause.
    let paused = runs.iter().any(|run| run.status == HookStatus::AwaitingAction);
    let (name, clock) = match service.is_live() {
        // A hook that has not answered has a clock of its own.
        true if !runs.is_empty() => (service.stage.name(), String::new()),
        true => (service.stage.name(), text::stage_clock(frame.at, shift.entered, shift.wait_until)),
        false => (service.status().name(), text::stage_over(service.finished)),
    };
    let weights = frame.weights.map(|weights| text::weights_spoken(&weights));
    Some(html! {
        <div class="shift-head" id="shift-head">
            <code class="stage-name" id="stage-name">{ name }</code>
            <span class="stage-clock" id="stage-clock">{ clock }</span>
            if let Some(words) = weights { <span class="only-read" id="weights">{ words }</span> }
            { for runs.iter().map(|run| hook(run, on)) }
            if service.is_live() && !paused && shift.back.is_none() { { stop(on) } }
        </div>
    })
}

fn button(id: String, label: Label, command: Command, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    html! {
        <button type="button" class="button line small" {id}
            onclick={move |_: MouseEvent| on.emit(Msg::Act(command.clone()))}>{ t(label) }</button>
    }
}

/// A hook where it waits: a pause has its two answers, a function its next moment.
fn hook(run: &HookRun, on: &Callback<Msg>) -> Html {
    let pause = run.status == HookStatus::AwaitingAction;
    let answer = |action: HookAction| Command::ContinueDeployment { hook: Some(run.id), action };
    let id = |name: &str| format!("stage-{name}-{}", run.id);
    html! {
        <span class="stage-hook">
            <span>{ text::hook_waits(run) }</span>
            if pause {
                { button(id("continue"), Label::ContinueIt, answer(HookAction::Continue), on) }
                { button(id("roll-back"), Label::RollBackIt, answer(HookAction::Rollback), on) }
            }
        </span>
    }
}

/// Stops the deployment: it goes back to the old revision.
fn stop(on: &Callback<Msg>) -> Html {
    button("stage-stop".to_owned(), Label::StopAndBack, Command::StopDeployment, on)
}
