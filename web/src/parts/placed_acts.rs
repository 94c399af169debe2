//! What a person can do to a StatefulSet or a DaemonSet at the cursor. Each act branches the future there.

use rollscope_engine::platform::kubernetes::RolloutAct;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_wording::placed as words;
use yew::prelude::*;

use super::acts::{field, number, submit};
use crate::app::model::Msg;
use crate::text::{Label, t};

/// What the panel needs.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Pods of the set; nodes of a DaemonSet.
    pub wanted: u32,
    /// The partition of a StatefulSet.
    pub partition: Option<u32>,
    /// The selected Pod.
    pub selected: Option<TaskName>,
    /// Messages.
    pub on: Callback<Msg>,
}

/// Undo, the dials that people turn in mid-rollout, and what becomes of the selected Pod.
#[component]
pub fn PlacedActs(props: &Props) -> Html {
    let (count, partition) = (use_node_ref(), use_node_ref());
    let scale = {
        let node = count.clone();
        submit(&props.on, move || number(&node).map(Command::SetDesired))
    };
    let open = {
        let node = partition.clone();
        let act = |partition| Command::Rollout(RolloutAct::SetPartition { partition });
        submit(&props.on, move || number(&node).map(act))
    };
    let button = |label: &'static str, command: Command| {
        let on = props.on.clone();
        let act = move |_: MouseEvent| on.emit(Msg::Act(command.clone()));
        html! { <button type="button" class="button line small" onclick={act}>{ label }</button> }
    };
    let wanted = t(if props.partition.is_some() { Label::Replicas } else { Label::Nodes });
    html! {
        <section class="acts" id="acts-here">
            <h3>{ t(Label::ActHere) }</h3>
            <div class="body">
                <form onsubmit={scale}>
                    <span class="words">{ wanted }</span>
                    { field(&count, wanted, props.wanted, "act-scale") }
                    <button class="button line small">{ t(Label::Set) }</button>
                </form>
                if let Some(now) = props.partition {
                    <form onsubmit={open}>
                        <span class="words">{ t(Label::Partition) }</span>
                        { field(&partition, t(Label::Partition), now, "act-partition") }
                        <button class="button line small">{ t(Label::Set) }</button>
                    </form>
                }
                <p class="buttons">
                    { button(t(Label::UndoRollout), Command::Rollout(RolloutAct::Undo { to: None })) }
                    if let Some(name) = props.selected {
                        { button(words::names().delete_pod, Command::StopTask(name)) }
                    }
                </p>
            </div>
        </section>
    }
}
