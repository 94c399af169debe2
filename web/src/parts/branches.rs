//! The futures of a run: as planned, and one for each act at the cursor.

use rollscope_engine::SimTime;
use rollscope_player::BranchId;
use yew::prelude::*;

use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// A branch as a chip.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchChip {
    /// Which one.
    pub id: BranchId,
    /// What was done there, in a few words: "maximum 175 %". Empty for the run as planned.
    pub label: String,
    /// When it was done.
    pub at: SimTime,
    /// It is the one that is looked at.
    pub active: bool,
}

/// The chips, in the order in which the branches were made; a single future needs none.
pub fn chips(branches: &[BranchChip], on: &Callback<Msg>) -> Html {
    if branches.len() < 2 {
        return Html::default();
    }
    let chip = |branch: &BranchChip| {
        let (on, id) = (on.clone(), branch.id);
        let name = if branch.label.is_empty() {
            t(Label::AsPlanned).to_owned()
        } else {
            text::branch(branch.at, &branch.label)
        };
        html! {
            <button type="button" class="chip branch" key={id.0} aria-pressed={branch.active.to_string()} title={name.clone()}
                onclick={move |_: MouseEvent| on.emit(Msg::Branch(id))}>{ name }</button>
        }
    };
    html! {
        <div class="branches" id="branches" role="group" aria-label={t(Label::Branches)}>
            { for branches.iter().map(chip) }
        </div>
    }
}
