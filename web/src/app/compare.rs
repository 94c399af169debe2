//! The way to a comparison and back: the second program shows it, the address is all they share.

use yew::prelude::*;

use super::App;
use super::model::Msg;
use crate::lazy;
use crate::link;

impl App {
    /// Opens a comparison as a new entry of the history: of the scenario with its copy, or a given one.
    pub(super) fn compare(&mut self, ctx: &Context<Self>, fragment: Option<String>) {
        let fragment = match fragment {
            Some(text) => text.rsplit_once('#').map_or(text.clone(), |(_, fragment)| fragment.to_owned()),
            None => {
                let Some(document) = self.model.form.accepted().map(|accepted| accepted.document.clone()) else {
                    return;
                };
                link::compare_with_copy(&document, self.model.at)
            }
        };
        self.with_player(|player| player.pause());
        self.address.write(&fragment, true);
        self.left = Some(self.address.left());
        ctx.link().send_message(Msg::Comparing(fragment));
    }

    /// From a comparison to the Studio: as it was left, or with the first scenario. The address leads there.
    pub(super) fn to_studio(&self) {
        let fragment = self.left.clone().or_else(|| link::first_compared(&self.address.fragment()));
        if let (Some(fragment), Some(window)) = (fragment, web_sys::window()) {
            // A browser that refuses leaves the page as it is.
            let _ = window.location().set_hash(&fragment);
        }
    }

    /// The Studio is shown as it was left where the address is again what it was then: with its undo and
    /// its branches.
    pub(super) fn back_from_compared(&self, msg: Msg) -> Msg {
        let leaves = matches!(msg, Msg::Open(_, false) | Msg::Broken(_)) && self.model.comparing.is_some();
        let same = self.left.as_ref().is_some_and(|left| *left == self.address.fragment());
        if leaves && same { Msg::Studio } else { msg }
    }

    /// What the button copies: the comparison that is shown, or the scenario, which the address then holds.
    pub(super) fn fragment_to_copy(&mut self) -> Option<String> {
        if self.model.comparing.is_some() {
            return Some(self.address.fragment());
        }
        let fragment = self.fragment()?;
        self.address.write(&fragment, false);
        Some(fragment)
    }
}

/// The second program shows a comparison, or leaves it (an empty fragment).
pub(super) fn show_compared(ctx: &Context<App>, fragment: String) {
    ctx.link().send_future(async move {
        match lazy::compare(&fragment).await {
            // What never came need not leave.
            Err(_) if fragment.is_empty() => Msg::AtRest,
            Ok(_) => Msg::AtRest,
            Err(error) => Msg::NotCompared(error.0),
        }
    });
}
