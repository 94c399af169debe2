//! What guards the rollout at the cursor, for the panel “Why”.

use std::rc::Rc;

use rollscope_engine::trace::{Record, ServiceId};
use rollscope_insight::outside::{Colour, Misleads, Trusts, worth_telling};
use rollscope_player::Player;
use rollscope_scenario::Value;
use yew::prelude::*;

use super::{Moment, api};
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::api_view::Light;
use crate::parts::breaker;
use crate::parts::protection::{self, Props};
use crate::text;

impl App {
    /// The card, and whether it counts anything; nothing where nothing guards a rollout and nothing failed.
    pub(super) fn protection(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> (Html, bool) {
        let settings = player.head().settings();
        let params = settings.platform.ecs();
        let watched = params.breaker.is_some() || params.alarms.is_some() || params.early_success.is_some();
        let failing = moment.outcome.as_ref().is_some_and(|outcome| outcome.failures > 0);
        let found = if watched || failing { self.figures.guarding(player, &moment.frame) } else { None };
        let Some(guarding) = found else {
            // Nothing guards it, and pipelines have something to say all the same.
            let newest = moment.frame.service_deployments.last();
            let sees = newest.map(|service| self.pipeline_sees(moment, player, service.id, false));
            return (protection::sees(&sees.unwrap_or_default(), moment.end, on), false);
        };
        let names = settings.alarms.iter().map(|alarm| alarm.name.clone());
        let alarms = names.zip(moment.frame.alarms.iter().copied()).filter(|_| params.alarms.is_some());
        let counts = !guarding.counted.is_empty() || guarding.failed_at().is_some();
        let card = protection::card(&Props {
            at: moment.frame.at,
            end: moment.end,
            alarms: alarms.collect(),
            ways: self.remedies(moment, player),
            sees: self.pipeline_sees(moment, player, guarding.service.id, true),
            guarding: Rc::clone(&guarding),
            shifts: settings.strategy.shift().is_some(),
            on: on.clone(),
        });
        (card, counts)
    }

    /// What would let the run as planned end otherwise. What is set changes its start, not a branch.
    fn remedies(&self, moment: &Moment, player: &Player) -> Vec<(String, (String, Value))> {
        let accepted = self.model.form.accepted().filter(|_| !self.model.form.refused());
        let Some((outcome, accepted)) = moment.outcome.as_ref().zip(accepted) else { return Vec::new() };
        let found = self.figures.remedies(player, accepted, outcome);
        found.iter().map(|remedy| (text::remedy(remedy), breaker::setting(remedy.change))).collect()
    }

    /// What a pipeline sees of the rollout in the end: the waiter, and what else does not simply turn
    /// green. Where nothing guards it (`guarded`), only what is worth telling.
    fn pipeline_sees(&self, moment: &Moment, player: &Player, id: ServiceId, guarded: bool) -> Vec<Light> {
        let services = moment.outcome.as_ref().map(|outcome| &outcome.services[..]).unwrap_or_default();
        let Some(service) = services.iter().find(|service| service.id == id) else { return Vec::new() };
        let signals = self.figures.signals(player, service);
        if !guarded && !worth_telling(&signals) {
            return Vec::new();
        }
        let told = signals.iter().filter(|signal| match signal.trusts {
            Trusts::Waiter => true,
            Trusts::FailedEvent | Trusts::CloudFormation => signal.colour != Colour::Green,
            // It ends as the deployment does, which stands elsewhere.
            Trusts::ServiceStatus => false,
            Trusts::OwnAlarms => signal.colour == Colour::Red,
            // That it is COMPLETED stands elsewhere, but not what this leaves unsaid.
            Trusts::RolloutState => signal.misleads.is_some_and(|why| !matches!(why, Misleads::OtherRevision(_))),
        });
        told.map(|signal| api::of_signal(signal, service.revision)).collect()
    }
}

/// The records of a run up to its cursor.
pub fn past(player: &Player) -> &[Record] {
    let records = player.timeline().records();
    &records[..records.partition_point(|record| record.at <= player.now())]
}
