//! The rules of strategies that shift traffic and of lifecycle hooks (ECS API shapes
//! `LinearConfiguration`, `CanaryConfiguration`, `DeploymentLifecycleHook`).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::ecs::rules_hooks::{CALL_BACK_MS, CALL_MS};
use rollscope_engine::platform::ecs::rules_shift;
use rollscope_engine::platform::ecs::strategy::{
    Hook, HookAction, HookAnswer, HookAnswers, HookKind, HookReply, Shift, ShiftKind, Strategy,
};
use rollscope_engine::sim::service_deployment::Stage;
use rollscope_engine::time::{DAY, HOUR, MINUTE, SECOND};

use super::checker::{Checker, INVALID_PARAMETER};
use super::service::{CONFIG, DAY_MINUTES};
use super::{LIST_MAX, protection};
use crate::document::{DeploymentConfiguration, Document, HookAnswerDoc, HookDoc, LifecycleHook};
use crate::duration;
use crate::json::{Number, Value, pointer_join};

/// Longest pause in minutes: fourteen days.
const PAUSE_MINUTES: i64 = 20_160;
/// Most hooks of each kind.
const HOOKS_MAX: usize = 10;
/// CloudFormation refuses templates whose computed waits are longer than this.
const CFN_WAITS_MS: u64 = 33 * HOUR;

/// Checks how a deployment goes. `strategy` is a known name.
pub fn check(doc: &Document, strategy: &str, c: &mut Checker) -> Strategy {
    let d = &doc.service.deployment;
    let hooks = hooks(doc, c);
    let steps = steps(d, strategy, c);
    let kind = match strategy {
        "BLUE_GREEN" => ShiftKind::BlueGreen,
        "LINEAR" => ShiftKind::Linear,
        "CANARY" => ShiftKind::Canary,
        _ => {
            if !hooks.is_empty() {
                let text = "hooks of a rolling update are not simulated: which stages it passes is not documented";
                c.not_simulated(&format!("{CONFIG}/lifecycleHooks"), text);
            }
            return Strategy::Rolling;
        }
    };
    if doc.service.scheduling_strategy.as_deref() == Some("DAEMON") {
        let at = format!("{CONFIG}/strategy");
        let text = "not simulated with DAEMON: no instance has a place for a second task; ROLLING is";
        c.not_available(&at, strategy, text).nearest = Some("ROLLING".into());
    }
    for (name, given) in [("minimumHealthyPercent", d.minimum), ("maximumPercent", d.maximum)] {
        if let Some(given) = given {
            let text = "plays no part while traffic is shifted: both revisions run in full";
            c.advise(&format!("{CONFIG}/{name}"), given, text);
        }
    }
    let balanced = balanced(doc);
    let steered = balanced || service_connect(doc).is_some();
    if !steered && kind != ShiftKind::BlueGreen {
        let allowed = "ROLLING, or BLUE_GREEN without a load balancer (headless); LINEAR and CANARY need a load balancer or Service Connect";
        c.refuse(&format!("{CONFIG}/strategy"), strategy, allowed, INVALID_PARAMETER).nearest =
            Some("BLUE_GREEN".into());
    }
    let bake_ms = match d.bake_minutes {
        Some(minutes) => minutes.clamp(0, DAY_MINUTES) as u64 * MINUTE,
        None => protection::chosen_bake_ms(doc),
    };
    let waits = rules_shift::waiting_ms(&steps, bake_ms);
    if waits > CFN_WAITS_MS {
        let text = "CloudFormation refuses templates whose waits are longer than 33 hours together";
        c.advise(&format!("{CONFIG}/strategy"), duration::print(waits), text);
    }
    let test_listener = test_listener(doc);
    let extra_ms = if network(doc) { rules_shift::NLB_EXTRA_MS } else { 0 };
    Strategy::Shift(Shift { kind, steps, bake_ms, test_listener, steered, extra_ms, hooks })
}

/// A load balancer of any kind.
fn balanced(doc: &Document) -> bool {
    match &doc.target_groups {
        Some(groups) => !groups.is_empty(),
        None => doc.service.load_balancers.as_ref().is_some_and(|list| !list.is_empty()),
    }
}

/// A Network Load Balancer: its target groups speak TCP, TLS or UDP.
fn network(doc: &Document) -> bool {
    let protocols = doc.target_groups.iter().flatten().filter_map(|group| group.protocol.as_deref());
    protocols.into_iter().any(|protocol| matches!(protocol, "TCP" | "TLS" | "UDP" | "TCP_UDP"))
}

/// Service Connect when it is on.
fn service_connect(doc: &Document) -> Option<&Value> {
    doc.service.service_connect.as_ref().filter(|value| value.get("enabled").and_then(Value::as_bool) == Some(true))
}

/// Somewhere test traffic comes in: a listener rule, or a test rule of Service Connect.
fn test_listener(doc: &Document) -> bool {
    let advanced = doc.service.load_balancers.iter().flatten().filter_map(|lb| lb.advanced.as_ref());
    let by_rule = advanced.into_iter().any(|advanced| advanced.test_rule.is_some());
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).unwrap_or_default().to_vec();
    let services = service_connect(doc).map(|value| list(value, "services")).unwrap_or_default();
    let aliases = services.iter().flat_map(|service| list(service, "clientAliases"));
    by_rule || aliases.into_iter().any(|alias| alias.get("testTrafficRules").is_some_and(|rules| !rules.is_null()))
}

/// The shifts of the production traffic.
fn steps(
    d: &DeploymentConfiguration,
    strategy: &str,
    c: &mut Checker,
) -> Vec<rollscope_engine::platform::ecs::strategy::ShiftStep> {
    let at = format!("{CONFIG}/linearConfiguration");
    if d.linear.is_some() {
        only_with(&at, "LINEAR", strategy, c);
    }
    let linear = d.linear.clone().unwrap_or_default();
    let here = strategy == "LINEAR";
    let percent = tenths(&pointer_join(&at, "stepPercent"), linear.step_percent.as_ref(), 30, c);
    let wait = c.optional(
        &pointer_join(&at, "stepBakeTimeInMinutes"),
        linear.step_bake_minutes,
        0,
        DAY_MINUTES,
        Some(INVALID_PARAMETER),
    );
    let step = or_default(percent, rules_shift::LINEAR_STEP, here, &pointer_join(&at, "stepPercent"), c);
    let minutes =
        or_minutes(wait, rules_shift::LINEAR_WAIT_MINUTES, here, &pointer_join(&at, "stepBakeTimeInMinutes"), c);
    let at = format!("{CONFIG}/canaryConfiguration");
    if d.canary.is_some() {
        only_with(&at, "CANARY", strategy, c);
    }
    let canary = d.canary.clone().unwrap_or_default();
    let percent = tenths(&pointer_join(&at, "canaryPercent"), canary.percent.as_ref(), 1, c);
    let wait = c.optional(
        &pointer_join(&at, "canaryBakeTimeInMinutes"),
        canary.bake_minutes,
        0,
        DAY_MINUTES,
        Some(INVALID_PARAMETER),
    );
    let first = strategy == "CANARY";
    let share = or_default(percent, rules_shift::CANARY_STEP, first, &pointer_join(&at, "canaryPercent"), c);
    let pause =
        or_minutes(wait, rules_shift::CANARY_WAIT_MINUTES, first, &pointer_join(&at, "canaryBakeTimeInMinutes"), c);
    match strategy {
        "LINEAR" => rules_shift::linear(step, minutes * MINUTE),
        "CANARY" => rules_shift::canary(share, pause * MINUTE),
        _ => rules_shift::blue_green(),
    }
}

fn or_default(value: Option<u16>, default: u16, here: bool, at: &str, c: &mut Checker) -> u16 {
    if value.is_none() && here {
        c.default_used(at, tenths_value(i64::from(default)));
    }
    value.unwrap_or(default)
}

fn or_minutes(value: Option<i64>, default: u64, here: bool, at: &str, c: &mut Checker) -> u64 {
    if value.is_none() && here {
        c.default_used(at, default);
    }
    value.map_or(default, |minutes| minutes as u64)
}

fn only_with(at: &str, needed: &str, strategy: &str, c: &mut Checker) {
    if strategy != needed {
        let given = format!("with the strategy {strategy}");
        c.refuse(at, given, &format!("absent, or the strategy {needed}"), INVALID_PARAMETER);
    }
}

/// A percentage in tenths, from `min` tenths to 100.
fn tenths(at: &str, value: Option<&Number>, min: i64, c: &mut Checker) -> Option<u16> {
    let value = value?;
    if let Some(tenths) = value.scaled(1).filter(|v| (min..=1_000).contains(v)) {
        return Some(tenths as u16);
    }
    let fine = (2..=9).find_map(|digits| value.scaled(digits).map(|v| v / 10i64.pow(digits - 1)));
    let problem = c.refuse(at, value, &format!("{} to 100 in steps of 0.1", print_tenths(min)), INVALID_PARAMETER);
    problem.nearest = fine.or(value.scaled(1)).map(|v| tenths_value(v.clamp(min, 1_000)));
    None
}

fn tenths_value(tenths: i64) -> Value {
    if tenths % 10 == 0 { Value::from(tenths / 10) } else { Value::Number(Number::Text(print_tenths(tenths))) }
}

fn print_tenths(tenths: i64) -> String {
    if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// `lifecycleHooks` with their answers.
fn hooks(doc: &Document, c: &mut Checker) -> Vec<Hook> {
    let at = format!("{CONFIG}/lifecycleHooks");
    let list = doc.service.deployment.hooks.as_deref().unwrap_or(&[]);
    let mut hooks: Vec<Hook> =
        list.iter().enumerate().map(|(i, hook)| check_hook(&pointer_join(&at, i), hook, c)).collect();
    for (kind, name) in [(HookKind::Lambda, "AWS_LAMBDA"), (HookKind::Pause, "PAUSE")] {
        let count = hooks.iter().filter(|hook| hook.kind == kind).count();
        if count > HOOKS_MAX {
            c.refuse(&at, format!("{count} {name} hooks"), "at most 10 of each type", INVALID_PARAMETER);
            hooks.truncate(HOOKS_MAX);
        }
    }
    for (i, entry) in doc.hooks.iter().flatten().enumerate() {
        answers(&pointer_join("/hooks", i), entry, &mut hooks, c);
    }
    hooks
}

fn check_hook(at: &str, hook: &LifecycleHook, c: &mut Checker) -> Hook {
    let given = hook.target_type.as_deref();
    let kinds = ["AWS_LAMBDA", "PAUSE"];
    let kind = c.name(&format!("{at}/targetType"), given, &kinds, "AWS_LAMBDA", Some(INVALID_PARAMETER));
    let pause = kind == "PAUSE";
    let at_stages = format!("{at}/lifecycleStages");
    let given = hook.stages.as_deref().unwrap_or(&[]);
    if given.is_empty() {
        c.missing(&at_stages, "at least one stage", Some(INVALID_PARAMETER));
    }
    let mut stages = Vec::new();
    for (i, name) in given.iter().enumerate() {
        let here = pointer_join(&at_stages, i);
        let Some(stage) = stage(&here, name, Some(INVALID_PARAMETER), c) else { continue };
        if pause && matches!(stage, Stage::TestTrafficShift | Stage::ProductionTrafficShift) {
            let allowed = "the stage before or after it: a PAUSE hook cannot stand at a traffic shift";
            let before =
                if stage == Stage::TestTrafficShift { Stage::PostScaleUp } else { Stage::PreProductionTrafficShift };
            c.refuse(&here, name, allowed, INVALID_PARAMETER).nearest = Some(before.name().into());
        }
        stages.push(stage);
    }
    let timeout = hook.timeout.clone().unwrap_or_default();
    let max = if pause { PAUSE_MINUTES } else { DAY_MINUTES };
    let at = format!("{at}/timeoutConfiguration");
    let answer = Some(INVALID_PARAMETER);
    let minutes = c.number(&format!("{at}/timeoutInMinutes"), timeout.minutes, 1, max, DAY_MINUTES, answer);
    let given = timeout.action.as_deref();
    let action = c.name(&format!("{at}/action"), given, &["ROLLBACK", "CONTINUE"], "ROLLBACK", answer);
    Hook {
        kind: if pause { HookKind::Pause } else { HookKind::Lambda },
        stages,
        timeout_ms: minutes as u64 * MINUTE,
        on_timeout: if action == "CONTINUE" { HookAction::Continue } else { HookAction::Rollback },
        answers: Vec::new(),
    }
}

/// Stages at which a hook may stand.
fn hook_stages() -> [&'static str; 8] {
    let stages = Stage::ALL.map(Stage::name);
    let without = |name: &&str| !matches!(*name, "SCALE_UP" | "BAKE_TIME" | "CLEAN_UP");
    let mut names = stages.into_iter().filter(without);
    core::array::from_fn(|_| names.next().unwrap_or_default())
}

fn stage(at: &str, name: &str, answer: Option<&str>, c: &mut Checker) -> Option<Stage> {
    c.one_name(at, name, &hook_stages(), answer).and_then(Stage::find)
}

/// An entry of `hooks`.
fn answers(at: &str, entry: &HookDoc, hooks: &mut [Hook], c: &mut Checker) {
    let at_hook = pointer_join(at, "hook");
    let index = entry.hook.unwrap_or(0);
    let count = hooks.len();
    let Some(hook) = usize::try_from(index).ok().and_then(|index| hooks.get_mut(index)) else {
        let allowed = match count {
            0 => "no entry: deploymentConfiguration.lifecycleHooks has no hook".into(),
            1 => "0, the place of the only hook in lifecycleHooks".into(),
            _ => format!("the place of a hook in lifecycleHooks, 0 to {}", count - 1),
        };
        c.invalid(&at_hook, index, &allowed);
        return;
    };
    if hook.kind == HookKind::Pause {
        let text = "unused: a PAUSE hook is answered by an act \"continue_deployment\"";
        c.advise(&at_hook, index, text);
    }
    let at_stage = pointer_join(at, "stage");
    let stage = entry.stage.as_deref().and_then(|name| stage(&at_stage, name, None, c));
    if stage.is_some_and(|stage| !hook.stages.contains(&stage)) {
        c.advise(
            &at_stage,
            entry.stage.as_deref().unwrap_or_default(),
            "unused: the hook does not stand at this stage",
        );
    }
    let run = c.optional(&pointer_join(at, "run"), entry.run, 1, i64::from(u32::MAX), None).map(|run| run as u32);
    let at = pointer_join(at, "answers");
    let list = entry.answers.as_deref().unwrap_or(&[]);
    if list.is_empty() {
        c.missing(&at, "at least one answer", None);
    } else if list.len() > LIST_MAX {
        c.invalid(&at, list.len(), &format!("at most {LIST_MAX} answers"));
    }
    let calls: Vec<HookAnswer> =
        list.iter().enumerate().filter_map(|(i, a)| answer(&pointer_join(&at, i), a, c)).collect();
    if !calls.is_empty() {
        hook.answers.push(HookAnswers { stage, run, calls });
    }
}

fn answer(at: &str, given: &HookAnswerDoc, c: &mut Checker) -> Option<HookAnswer> {
    let at_status = pointer_join(at, "hookStatus");
    let known = ["SUCCEEDED", "FAILED", "IN_PROGRESS"];
    let Some(status) = given.status.as_deref() else {
        c.missing(&at_status, &crate::problem::one_of(&known), None);
        return None;
    };
    let status = match c.one_name(&at_status, status, &known, None)? {
        "FAILED" => HookReply::Failed,
        "IN_PROGRESS" => HookReply::InProgress,
        _ => HookReply::Succeeded,
    };
    let after_ms = given.after.map_or(0, |span| span.0).min(DAY);
    if after_ms > CALL_MS {
        c.advise(
            &pointer_join(at, "after"),
            duration::print(after_ms),
            "later than 15 minutes: the call has failed by then",
        );
    }
    let at_delay = pointer_join(at, "callBackDelay");
    let delay = c.optional(&at_delay, given.call_back, 1, DAY_MINUTES * 60, None);
    let call_back_ms = delay.map_or(CALL_BACK_MS, |seconds| seconds as u64 * SECOND);
    Some(HookAnswer { status, after_ms, call_back_ms })
}
