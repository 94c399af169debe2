//! Lifecycle hooks: pauses that somebody answers, functions that answer by themselves.

use rollscope_engine::sim::service_deployment::Stage;
use rollscope_scenario::{Value, edit, json};
use yew::prelude::*;

use super::field::{Cell, cells, choice, choose_button, entry_head, id, problem, with_entry};
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, show};
use crate::text::{self, Label, t};

/// The hooks.
pub const HOOKS: &str = "/service/deploymentConfiguration/lifecycleHooks";
/// How they answer.
pub const ANSWERS: &str = "/hooks";
/// Minutes after which a hook times out by itself.
const TIMEOUT: &str = "1440";
const ACTIONS: [(&str, Label); 2] = [("ROLLBACK", Label::HookRollback), ("CONTINUE", Label::HookContinue)];
/// Answers a function can be given here.
const REPLIES: [(&str, Label); 3] =
    [("SUCCEEDED", Label::HookSucceeds), ("FAILED", Label::HookFails), ("IN_PROGRESS", Label::HookNever)];
/// A pause and a function as they are added.
const PAUSE: &str = r#"{"targetType":"PAUSE","lifecycleStages":["PRE_PRODUCTION_TRAFFIC_SHIFT"]}"#;
const FUNCTION: &str = r#"{"targetType":"AWS_LAMBDA","hookTargetArn":"arn:aws:lambda:eu-west-1:111122223333:function:check","lifecycleStages":["POST_SCALE_UP"]}"#;

/// Stages at which a hook may stand.
fn stages(pause: bool) -> impl Iterator<Item = &'static str> {
    let none = |stage: &Stage| matches!(stage, Stage::ScaleUp | Stage::BakeTime | Stage::CleanUp);
    let shift = |stage: &Stage| matches!(stage, Stage::TestTrafficShift | Stage::ProductionTrafficShift);
    Stage::ALL.into_iter().filter(move |stage| !(none(stage) || pause && shift(stage))).map(Stage::name)
}

fn entries<'a>(form: &'a Form, pointer: &str) -> &'a [Value] {
    form.wanted().pointer(pointer).and_then(Value::as_array).unwrap_or_default()
}

fn is_pause(hook: &Value) -> bool {
    hook.get("targetType").and_then(Value::as_str) == Some("PAUSE")
}

fn place(entry: &Value) -> i64 {
    entry.get("hook").and_then(Value::as_i64).unwrap_or(0)
}

/// Which of the plain answers a function gives: the k-th of [`REPLIES`], or something only the document says.
fn reply(form: &Form, index: usize) -> Option<usize> {
    let own: Vec<&Value> = entries(form, ANSWERS).iter().filter(|entry| place(entry) == index as i64).collect();
    match &own[..] {
        [] => Some(0),
        [only] if only.get("stage").is_none() && only.get("run").is_none() => {
            let [answer] = only.get("answers")?.as_array()? else { return None };
            let plain = answer.as_object().is_some_and(|keys| keys.len() == 1);
            let status = answer.get("hookStatus").and_then(Value::as_str)?;
            REPLIES.iter().position(|(name, _)| *name == status).filter(|_| plain)
        }
        _ => None,
    }
}

/// The answers of all hooks where one of them answers so; the plain success needs no word.
fn with_reply(form: &Form, index: usize, reply: &str) -> Value {
    let others = entries(form, ANSWERS).iter().filter(|entry| place(entry) != index as i64).cloned();
    let own = (reply != REPLIES[0].0).then(|| {
        let answer = Value::object([("hookStatus", Value::from(reply))]);
        Value::object([("hook", Value::from(index as i64)), ("answers", Value::array([answer]))])
    });
    let all: Vec<Value> = others.chain(own).collect();
    if all.is_empty() { Value::Null } else { Value::Array(all) }
}

/// The section; a rolling update has it only where hooks are given.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let hooks = entries(form, HOOKS);
    let shifts = edit::strategy(form.wanted()).is_some();
    if !shifts && hooks.is_empty() {
        return Html::default();
    }
    let pauses = hooks.iter().filter(|hook| is_pause(hook)).count();
    let wrong = [HOOKS, ANSWERS].iter().any(|pointer| form.problem(pointer).is_some());
    let add = |text: &str| json::read(text).map(|read| vec![with_entry(form, HOOKS, read.value)]).unwrap_or_default();
    let whole = |pointer: &str| form.problem(pointer).filter(|found| !covered(&found.field));
    html! {
        <Section name={t(Label::HooksSection)} value={text::hooks_value(pauses, hooks.len() - pauses)} changed={!hooks.is_empty()} {wrong}
            on_ecs={vec![(None, HOOKS)]}>
            <p class="hint">{ t(if shifts { Label::HooksLead } else { Label::HooksRolling }) }</p>
            { for hooks.iter().enumerate().map(|(index, hook)| one(form, index, hook, on)) }
            { problem(whole(HOOKS).or_else(|| whole(ANSWERS)), t(Label::HooksSection), "hooks", on) }
            if shifts {
                <div class="buttons">
                    { choose_button(t(Label::AddPause), add(PAUSE), on) }
                    { choose_button(t(Label::AddFunction), add(FUNCTION), on) }
                </div>
            }
        </Section>
    }
}

/// A problem of this field is shown beside it.
fn covered(field: &str) -> bool {
    ["/lifecycleStages", "/timeoutInMinutes", "/action"].iter().any(|part| field.contains(part))
        && field.starts_with(HOOKS)
}

fn one(form: &Form, index: usize, hook: &Value, on: &Callback<Msg>) -> Html {
    let at = format!("{HOOKS}/{index}");
    let pause = is_pause(hook);
    let title = text::hook_title(index + 1, pause);
    let timeout = Cell {
        pointer: format!("{at}/timeoutConfiguration/timeoutInMinutes"),
        name: text::entry_field(&title, t(Label::HookTimeout)),
        kind: FieldKind::Number,
        placeholder: TIMEOUT.into(),
    };
    html! {
        <>
            { entry_head(&title, edit::without_hook(form.wanted(), index), on) }
            { stage(form, &at, &title, hook, on) }
            if pause { <p class="hint">{ t(Label::HookPauseNote) }</p> } else { { answers(form, index, on) } }
            { cells(form, t(Label::HookTimeout), &[timeout], "", on) }
            { action(form, &at, &title, on) }
        </>
    }
}

fn stage(form: &Form, at: &str, title: &str, hook: &Value, on: &Callback<Msg>) -> Html {
    let pointer = format!("{at}/lifecycleStages");
    let given: Vec<String> =
        hook.get("lifecycleStages").and_then(Value::as_array).unwrap_or_default().iter().map(show).collect();
    let names: Vec<&'static str> = stages(is_pause(hook)).collect();
    let mut options: Vec<(&'static str, bool)> =
        names.iter().map(|name| (*name, given.len() == 1 && given[0] == *name)).collect();
    let several = options.iter().all(|option| !option.1);
    if several {
        options.push((t(Label::HookStages), true));
    }
    let choose = {
        let pointer = pointer.clone();
        move |index: usize| {
            let chosen = names.get(index).map(|name| (pointer.clone(), Value::array([*name])));
            chosen.into_iter().collect()
        }
    };
    html! {
        <div class="field">
            { choice(&id(&pointer), t(Label::HookStage), &options, choose, on) }
            if several && !given.is_empty() { <p class="hint">{ text::hook_stages(&given) }</p> }
            { problem(form.problem(&pointer), &text::entry_field(title, t(Label::HookStage)), &id(&pointer), on) }
        </div>
    }
}

fn answers(form: &Form, index: usize, on: &Callback<Msg>) -> Html {
    let now = reply(form, index);
    let mut options: Vec<(&'static str, bool)> =
        REPLIES.iter().enumerate().map(|(i, (_, label))| (t(*label), Some(i) == now)).collect();
    if now.is_none() {
        options.push((t(Label::HookOther), true));
    }
    let choose = {
        let form = form.clone();
        move |chosen: usize| {
            let reply = REPLIES.get(chosen).map(|(name, _)| (ANSWERS.to_owned(), with_reply(&form, index, name)));
            reply.into_iter().collect()
        }
    };
    let key = format!("hook-{index}-answers");
    html! { <div class="field">{ choice(&key, t(Label::HookAnswers), &options, choose, on) }</div> }
}

fn action(form: &Form, at: &str, title: &str, on: &Callback<Msg>) -> Html {
    let pointer = format!("{at}/timeoutConfiguration/action");
    let written = form.text(&pointer);
    let now = ACTIONS.iter().position(|(name, _)| *name == written).unwrap_or(0);
    let options: Vec<(&'static str, bool)> =
        ACTIONS.iter().enumerate().map(|(i, (_, label))| (t(*label), i == now)).collect();
    let choose = {
        let pointer = pointer.clone();
        move |index: usize| {
            // The first one holds where nothing is written.
            let value = ACTIONS.get(index).filter(|_| index > 0).map_or(Value::Null, |(name, _)| Value::from(*name));
            vec![(pointer.clone(), value)]
        }
    };
    html! {
        <div class="field">
            { choice(&id(&pointer), t(Label::HookAction), &options, choose, on) }
            { problem(form.problem(&pointer), &text::entry_field(title, t(Label::HookAction)), &id(&pointer), on) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::{Document, PRESETS};

    use super::*;

    #[test]
    fn an_answer_is_written_as_it_was_read() {
        let text = r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"strategy":"BLUE_GREEN","bakeTimeInMinutes":5}},
            "targetGroups":[{}]}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        for added in [FUNCTION, PAUSE, FUNCTION] {
            let hook = json::read(added).expect("JSON").value;
            let (pointer, list) = with_entry(&form, HOOKS, hook);
            form.set(&pointer, list);
            assert!(!form.refused(), "{:?}", form.problems());
        }
        for index in [2, 0] {
            for (place, (name, _)) in REPLIES.iter().enumerate() {
                form.set(ANSWERS, with_reply(&form, index, name));
                assert!(!form.refused(), "{:?}", form.problems());
                assert_eq!(reply(&form, index), Some(place));
            }
        }
        assert_eq!(entries(&form, ANSWERS).len(), 2, "each function has an entry of its own");
    }

    #[test]
    fn what_no_choice_shows_is_kept() {
        let preset = PRESETS.iter().find(|preset| preset.id == "headless").expect("a preset");
        let form = Form::new(&Document::from_text(preset.document).document);
        assert_eq!(reply(&form, 0), None, "it answers IN_PROGRESS first");
    }

    #[test]
    fn hooks_stand_where_the_service_takes_them() {
        assert_eq!(stages(false).count(), 8);
        assert_eq!(stages(true).count(), 6);
    }
}
