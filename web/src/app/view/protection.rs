//! What guards the rollout at the cursor, for the panel “Why”.

use std::rc::Rc;

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::trace::Record;
use rollscope_insight::outside::{Colour, Trusts};
use rollscope_player::Player;
use rollscope_scenario::Value;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::parts::breaker;
use crate::parts::protection::{self, Props};
use crate::text;

impl App {
    /// The card, and whether it counts anything; nothing where nothing guards a rollout and nothing failed.
    pub(super) fn protection(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> (Html, bool) {
        let settings = player.head().settings();
        let PlatformSettings::Ecs(params) = &settings.platform;
        let watched = params.breaker.is_some() || params.alarms.is_some() || params.early_success.is_some();
        let failing = moment.outcome.as_ref().is_some_and(|outcome| outcome.failures > 0);
        let found = if watched || failing { self.figures.guarding(player, &moment.frame) } else { None };
        let Some(guarding) = found else { return (Html::default(), false) };
        let names = settings.alarms.iter().map(|alarm| alarm.name.clone());
        let alarms = names.zip(moment.frame.alarms.iter().copied()).filter(|_| params.alarms.is_some());
        let counts = !guarding.counted.is_empty() || guarding.failed_at().is_some();
        let card = protection::card(&Props {
            at: moment.frame.at,
            alarms: alarms.collect(),
            ways: self.remedies(moment, player),
            sees: self.pipeline_sees(moment, player, guarding.service.id),
            guarding: Rc::clone(&guarding),
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

    /// What a pipeline sees of the rollout in the end: the waiter, and the event where it fires.
    fn pipeline_sees(&self, moment: &Moment, player: &Player, id: rollscope_engine::trace::ServiceId) -> Vec<String> {
        let services = moment.outcome.as_ref().map(|outcome| &outcome.services[..]).unwrap_or_default();
        let Some(service) = services.iter().find(|service| service.id == id) else { return Vec::new() };
        let signals = self.figures.signals(player, service);
        let told = signals.iter().filter(|signal| {
            signal.trusts == Trusts::Waiter || (signal.trusts == Trusts::FailedEvent && signal.colour != Colour::Green)
        });
        told.map(|signal| text::signal(signal, service.revision)).collect()
    }
}

/// The records of a run up to its cursor.
pub fn past(player: &Player) -> &[Record] {
    let records = player.timeline().records();
    &records[..records.partition_point(|record| record.at <= player.now())]
}
