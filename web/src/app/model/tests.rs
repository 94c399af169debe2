//! How messages change the model.

use rollscope_player::BranchId;

use super::*;

const MAXIMUM: &str = "/service/deploymentConfiguration/maximumPercent";

fn model() -> Model {
    Model::new(&Document::from_text(r#"{"service":{"desiredCount":4}}"#).document)
}

fn typed(text: &str) -> Msg {
    Msg::Type(MAXIMUM.to_owned(), FieldKind::Number, text.to_owned())
}

fn ceiling(model: &Model) -> u32 {
    model.form.accepted().expect("accepted").resolved.limits.ceiling
}

#[test]
fn a_setting_starts_the_run_anew_and_replaces_the_address() {
    let mut model = model();
    assert_eq!(model.update(typed("150")), [Effect::Load(None), Effect::Address(false)]);
    assert_eq!(model.update(typed("150")), []);
}

#[test]
fn a_refused_setting_starts_nothing_and_can_be_undone() {
    let mut model = model();
    assert_eq!(model.update(typed("many")), []);
    assert!(model.form.refused());
    assert_eq!(model.update(Msg::Undo), []);
    assert!(!model.form.refused());
    assert!(!model.can_undo());
}

#[test]
fn edits_of_one_field_are_one_change() {
    let mut model = model();
    for text in ["1", "15", "150"] {
        model.update(typed(text));
    }
    assert_eq!(ceiling(&model), 6);
    assert_eq!(model.update(Msg::Undo), [Effect::Return(0, SimTime::ZERO), Effect::Address(false)]);
    assert_eq!(ceiling(&model), 8);
}

#[test]
fn each_common_setting_is_a_change_of_its_own() {
    let mut model = model();
    let chip = |low: i64, high: i64| {
        let [minimum, maximum] = [Dial::Minimum, Dial::Maximum].map(|dial| dial.pointer().to_owned());
        Msg::Set(vec![(minimum, low.into()), (maximum, high.into())])
    };
    model.update(chip(100, 150));
    model.update(chip(50, 100));
    assert_eq!(ceiling(&model), 4);
    model.update(Msg::Undo);
    assert_eq!(ceiling(&model), 6);
    model.update(Msg::Undo);
    assert_eq!(ceiling(&model), 8);
    // At the cursor one does not take the place of the other.
    model.here = Some(Here { at: SimTime(5_000), desired: 4, minimum: 100, maximum: 200 });
    let command = Command::SetPercentages { minimum: Some(50), maximum: Some(100) };
    assert_eq!(model.update(chip(50, 100)), [Effect::Act(command, false)]);
}

#[test]
fn opening_adds_an_entry_and_going_back_does_not() {
    let mut model = model();
    let opened = Opened { at: Some(SimTime(5)), ..Opened::document(Document::from_text("{}").document) };
    let effects = model.update(Msg::Open(Box::new(opened.clone()), true));
    assert_eq!(effects, [Effect::Load(Some(SimTime(5))), Effect::Address(true)]);
    let effects = model.update(Msg::Open(Box::new(opened), false));
    assert_eq!(effects, [Effect::Load(Some(SimTime(5)))]);
    assert!(!model.can_undo());
}

fn acted(command: &Command, replaced: bool) -> Msg {
    let acts = rollscope_scenario::json::read(r#"[{"at":"5s","do":"desired","count":6}]"#).expect("JSON").value;
    let (branch, at) = (BranchId(1), SimTime(5_000));
    Msg::Acted(Acted { acts, branch, at, command: command.clone(), replaced })
}

fn acts(model: &Model) -> usize {
    model.form.accepted().expect("accepted").resolved.settings.acts.len()
}

#[test]
fn an_act_is_written_into_the_document_undone_and_redone_in_the_player() {
    let mut model = model();
    let command = Command::SetDesired(6);
    assert_eq!(model.update(Msg::Act(command.clone())), [Effect::Act(command.clone(), false)]);
    assert_eq!(model.update(acted(&command, false)), [Effect::Address(false)]);
    assert_eq!(acts(&model), 1);
    assert_eq!(model.update(Msg::Undo), [Effect::UndoAct(BranchId(1)), Effect::Address(false)]);
    assert_eq!(acts(&model), 0);
    assert!(!model.can_undo() && model.can_redo());
    assert_eq!(model.update(Msg::Redo), [Effect::RedoAct(SimTime(5_000), command), Effect::Address(false)]);
    assert_eq!(acts(&model), 1);
    model.update(Msg::Remade(BranchId(2)));
    assert_eq!(model.update(Msg::Undo)[0], Effect::UndoAct(BranchId(2)));
}

#[test]
fn a_dial_turned_in_the_middle_of_a_run_is_one_act_however_long_it_is_dragged() {
    let mut model = model();
    model.here = Some(Here { at: SimTime(5_000), desired: 4, minimum: 100, maximum: 200 });
    let command = Command::SetPercentages { minimum: None, maximum: Some(150) };
    assert_eq!(model.update(typed("150")), [Effect::Act(command.clone(), true)]);
    model.update(acted(&command, false));
    model.update(acted(&command, true));
    assert_eq!(ceiling(&model), 8, "the settings of the start stay");
    model.update(Msg::Undo);
    assert!(!model.can_undo());
    // What is refused stays in its field and does nothing.
    assert_eq!(model.update(typed("many")), []);
    assert_eq!(model.shown().text(MAXIMUM), "many");
    assert!(!model.form.refused());
    // From the start of the run the same field is a setting.
    model.update(Msg::FromHere(false));
    assert_eq!(model.update(typed("150")), [Effect::Load(None), Effect::Address(false)]);
}

#[test]
fn what_was_taken_back_is_gone_after_another_change() {
    let mut model = model();
    model.update(typed("150"));
    model.update(Msg::Undo);
    assert!(model.can_redo());
    model.update(typed("175"));
    assert!(!model.can_redo());
    assert_eq!(ceiling(&model), 7);
}

#[test]
fn undo_goes_back_to_the_run_with_its_branches() {
    let mut model = model();
    let command = Command::SetDesired(6);
    model.update(acted(&command, false));
    model.at = SimTime(5_000);
    model.update(typed("150"));
    assert_eq!(model.update(Msg::Undo), [Effect::Return(0, SimTime(5_000)), Effect::Address(false)]);
    assert_eq!(model.update(Msg::Undo)[0], Effect::UndoAct(BranchId(1)), "its act is taken back there");
    assert_eq!(model.update(Msg::Redo)[0], Effect::RedoAct(SimTime(5_000), command));
    assert_eq!(model.update(Msg::Redo)[0], Effect::Return(1, SimTime(5_000)));
    // What follows is another run than any before.
    model.update(Msg::Undo);
    model.update(typed("175"));
    assert_eq!(model.run, 2);
}

#[test]
fn escape_closes_the_nearest_thing() {
    let mut model = model();
    model.stage_only = true;
    model.update(Msg::Select(Some(TaskName { revision: 8, start: 1 })));
    model.update(Msg::Sheet(Some(Sheet::Tasks)));
    model.update(Msg::Escape);
    assert!(model.sheet.is_none() && model.selected.is_some());
    model.update(Msg::Escape);
    assert!(model.selected.is_none() && model.stage_only);
    model.update(Msg::Escape);
    assert!(!model.stage_only);
}

#[test]
fn speeds_go_up_and_down_in_round_steps() {
    assert_eq!(next_speed(Speed::Fit, true), Speed::Milli(50_000));
    assert_eq!(next_speed(Speed::Milli(1_000), false), Speed::Milli(1_000));
    assert_eq!(next_speed(Speed::Milli(5_000_000), true), Speed::Milli(10_000_000));
    assert_eq!(next_speed(Speed::Milli(10_000_000), true), Speed::Milli(10_000_000));
}

#[test]
fn steps_go_in_the_chosen_unit() {
    let mut model = model();
    model.update(Msg::Unit(StepUnit::Second));
    assert_eq!(model.update(Msg::Go(Go::Previous)), [Effect::Go(Go::Unit(StepUnit::Second, false))]);
    assert_eq!(model.update(Msg::Go(Go::End)), [Effect::Go(Go::End)]);
}
