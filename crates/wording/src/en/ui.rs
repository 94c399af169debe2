//! Labels of the page: buttons, tabs and fields.

/// A label. Every language has one text for each; one that is missing does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Starts playing.
    Play,
    /// Rests.
    Pause,
    /// To the start.
    ToStart,
    /// To the end.
    ToEnd,
    /// One step back.
    PreviousStep,
    /// One step on.
    NextStep,
    /// Step unit: decision.
    UnitDecision,
    /// Step unit: event.
    UnitEvent,
    /// Step unit: second.
    UnitSecond,
    /// Speed: the whole run in 20 seconds.
    SpeedFit,
    /// Speed: one decision a second.
    SpeedDecisions,
    /// Tab: why.
    Why,
    /// Tab: events.
    Events,
    /// Tab: what each API answers.
    ApiView,
    /// Tab: guards.
    Guards,
    /// Field: desired count.
    DesiredCount,
    /// Field: `minimumHealthyPercent`.
    Minimum,
    /// Field: `maximumPercent`.
    Maximum,
    /// The first sum.
    RoomToStart,
    /// The second sum.
    SpareToStop,
    /// Tries a change.
    Try,
    /// Shares the scenario.
    Share,
    /// Imports a configuration.
    Import,
    /// Takes a change back.
    Undo,
}

/// The label in English.
pub fn label(label: Label) -> &'static str {
    match label {
        Label::Play => "Play",
        Label::Pause => "Pause",
        Label::ToStart => "To the start",
        Label::ToEnd => "To the end",
        Label::PreviousStep => "Previous step",
        Label::NextStep => "Next step",
        Label::UnitDecision => "decision",
        Label::UnitEvent => "event",
        Label::UnitSecond => "second",
        Label::SpeedFit => "fit to 20 s",
        Label::SpeedDecisions => "one decision per second",
        Label::Why => "Why",
        Label::Events => "Events",
        Label::ApiView => "API view",
        Label::Guards => "Guards",
        Label::DesiredCount => "Desired count",
        Label::Minimum => "Minimum",
        Label::Maximum => "Maximum",
        Label::RoomToStart => "Room to start",
        Label::SpareToStop => "Spare to stop",
        Label::Try => "Try",
        Label::Share => "Share",
        Label::Import => "Import",
        Label::Undo => "Undo",
    }
}
