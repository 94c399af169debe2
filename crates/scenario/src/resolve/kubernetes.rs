//! From the document of a Kubernetes workload to settings: the API server's own checks with its own
//! words, and the defaults it fills in.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs;
use rollscope_engine::platform::kubernetes::rules_fence::{ceiling, min_available};
use rollscope_engine::platform::kubernetes::{IntOrPercent, Params, PodSpec, ProbeParams, Strategy, UNLIMITED};
use rollscope_engine::settings::{
    Behaviour, Capacity, Distribution, EVENT_BUDGET_NATIVE, Fate, Quotas, Revision, RolloutState, SCHEMA_CHECK_MS,
    Settings, Start, StartDeployment, TASKS_MAX, Timing,
};
use rollscope_engine::time::{SECOND, SimTime};

use super::checker::Checker;
use super::kubernetes_acts;
use super::run::{behaviour, distribution, moment, places, until};
use super::{LIST_MAX, Resolved, fjall};
use crate::document::{Document, IntOrString, KubeContainer, PodTemplateDoc, ProbeDoc, RevisionDoc};
use crate::duration;
use crate::json::{Value, pointer_join};
use crate::limits::Limits;
use crate::problem::{Kind, Problem};

/// What the API server says in front of a field.
const INVALID: &str = "The Deployment is invalid: ";
/// Longest time in seconds that is taken, a year: further on nothing happens.
pub(super) const SECONDS_MAX: i64 = 31_536_000;
/// Most percent of `maxSurge` that is taken.
const SURGE_MAX: i64 = 100_000;

/// What the API server answers: the field as it names it, and its words.
pub(super) fn answer(at: &str, given: impl core::fmt::Display, words: &str) -> String {
    let path = at.strip_prefix("/service").unwrap_or(at);
    let mut field = String::from("spec");
    for part in path.split('/').filter(|part| !part.is_empty()) {
        if part.chars().all(|c| c.is_ascii_digit()) {
            field.push_str(&format!("[{part}]"));
        } else {
            field.push_str(&format!(".{part}"));
        }
    }
    format!("{INVALID}{field}: Invalid value: {given}: {words}")
}

/// A whole number of 0 or more, or its default.
pub(super) fn count(at: &str, value: Option<i64>, max: i64, default: i64, c: &mut Checker) -> i64 {
    if value.is_some_and(|n| n < 0) {
        let n = value.unwrap_or_default();
        let words = answer(at, n, "must be greater than or equal to 0");
        c.refuse(at, n, "a whole number, 0 or more", &words).nearest = Some(0.into());
        return 0;
    }
    c.number(at, value, 0, max, default, None)
}

/// Checks everything; see [`Document::resolve`].
pub fn resolve(doc: &Document) -> Result<Resolved, Vec<Problem>> {
    let mut c = Checker::default();
    let params = params(doc, &mut c);
    for (at, given) in [("/nodes", doc.nodes.is_some()), ("/featureGates", doc.feature_gates != Default::default())] {
        if given {
            c.advise(at, "given", "unused: a Deployment does not depend on it");
        }
    }
    let (strategy, desired) = (params.strategy, params.replicas);
    let limits = Limits { desired, floor: min_available(strategy, desired), ceiling: ceiling(strategy, desired) };
    let pod = params.pod.clone();
    finish(
        doc,
        Workload { kind: "Deployment", platform: PlatformSettings::Kubernetes(Box::new(params)), pod, limits },
        c,
    )
}

/// A workload whose own configuration is read.
pub(super) struct Workload {
    /// Its kind, as Kubernetes writes it.
    pub kind: &'static str,
    /// Its configuration.
    pub platform: PlatformSettings,
    /// Its Pods.
    pub pod: PodSpec,
    /// Pods wanted, fewest available, most at once.
    pub limits: Limits,
}

/// What is the same for every workload: times, revisions, acts, what exists at the start.
pub(super) fn finish(doc: &Document, workload: Workload, mut c: Checker) -> Result<Resolved, Vec<Problem>> {
    let Workload { kind, platform, pod, limits } = workload;
    super::check_version(doc, &mut c);
    not_of_kubernetes(doc, &mut c);
    let timing = timing(doc, 1, &mut c);
    let (known, new, start) = revisions(doc, limits.desired, &mut c);
    let acts = kubernetes_acts::acts(doc, new, &mut c);
    let places = places(doc, &mut c);
    let seed = c.number("/seed", doc.seed, 0, i64::MAX, 1, None) as u64;
    let until = until(doc, &mut c);
    unseen(doc, &pod, &mut c);
    in_words_of(kind, &mut c);
    if c.problems.iter().any(Problem::is_error) {
        return Err(c.into_problems());
    }
    let mut known = known;
    kubernetes_acts::add_revisions(&mut known, &acts);
    let settings = Settings {
        strategy: ecs::Strategy::Rolling,
        containers: Vec::new(),
        target_groups: Vec::new(),
        stop_timeout_ms: pod.grace_ms,
        platform,
        timing,
        revisions: known,
        capacity: if places.is_empty() { Capacity::Unlimited } else { Capacity::Places(places) },
        fargate: false,
        exit_codes: Vec::new(),
        rebalancing: false,
        traffic: None,
        scaling: None,
        alarms: Vec::new(),
        schema: Vec::new(),
        schema_check_ms: SCHEMA_CHECK_MS,
        start,
        acts,
        quotas: Quotas::None,
        seed,
        until: until.map(SimTime),
        event_budget: EVENT_BUDGET_NATIVE,
    };
    Ok(Resolved {
        settings,
        limits,
        warnings: c.problems,
        defaulted: c.defaulted,
        readings: Vec::new(),
        not_simulated: c.not_simulated,
        act_places: Vec::new(),
        watchdog: fjall::Watchdog::default(),
    })
}

/// The checks that every workload shares name a Deployment.
fn in_words_of(kind: &str, c: &mut Checker) {
    if kind == "Deployment" {
        return;
    }
    for problem in &mut c.problems {
        problem.allowed = problem.allowed.replace("Deployment", kind);
        problem.service_error = problem.service_error.take().map(|text| text.replace("Deployment", kind));
    }
}

/// Keys that say something on Amazon ECS only.
fn not_of_kubernetes(doc: &Document, c: &mut Checker) {
    let given = [
        ("/containers", doc.containers.is_some()),
        ("/targetGroups", doc.target_groups.is_some()),
        ("/alarms", doc.alarms.is_some()),
        ("/hooks", doc.hooks.is_some()),
        ("/schema", doc.schema.is_some()),
        ("/traffic", doc.traffic.is_some()),
        ("/autoscaling", doc.autoscaling.is_some()),
        ("/capacity", doc.capacity.is_some()),
        ("/fjall", doc.fjall.is_some()),
        ("/quotas", doc.quotas.is_some()),
        ("/readings", doc.readings != Default::default()),
        ("/timing/first_check", doc.timing.first_check.is_some()),
    ];
    for (at, _) in given.into_iter().filter(|(_, given)| *given) {
        c.advise(at, "given", "unused: a Kubernetes Deployment has no such thing here");
    }
    if let Some(start) = doc.start.as_ref().and_then(|start| start.deployments.as_ref()).filter(|list| !list.is_empty())
    {
        let allowed = "not simulated on Kubernetes: a run begins steady, or with [] where nothing exists yet";
        c.not_available("/start/deployments", &format!("{} deployments", start.len()), allowed);
    }
}

fn params(doc: &Document, c: &mut Checker) -> Params {
    let spec = &doc.deployment;
    let replicas = count("/service/replicas", spec.replicas, i64::from(TASKS_MAX), 1, c) as u32;
    let strategy = strategy(doc, c);
    let min_ready = count("/service/minReadySeconds", spec.min_ready_seconds, SECONDS_MAX, 0, c);
    let at = "/service/progressDeadlineSeconds";
    let deadline = count(at, spec.progress_deadline_seconds, i64::from(UNLIMITED), 600, c);
    if deadline <= min_ready {
        let words = answer(at, deadline, "must be greater than minReadySeconds");
        c.refuse(at, deadline, "more than minReadySeconds", &words).nearest = Some((min_ready + 1).into());
    }
    let at = "/service/revisionHistoryLimit";
    let history = count(at, spec.revision_history_limit, i64::from(UNLIMITED), 10, c);
    if history == 0 {
        c.advise(at, 0, "no old ReplicaSet is kept: kubectl rollout undo has nothing to go back to");
    }
    if spec.selector.is_some() {
        c.not_simulated("/service/selector", "the template's labels are taken to match");
    }
    Params {
        replicas,
        strategy,
        min_ready_ms: min_ready as u64 * SECOND,
        progress_deadline_ms: (deadline < i64::from(UNLIMITED)).then_some(deadline as u64 * SECOND),
        revision_history_limit: (history < i64::from(UNLIMITED)).then_some(history as u32),
        paused: spec.paused == Some(true),
        pod: pod(spec.template.as_ref(), doc, c),
        quota: quota(doc, c),
    }
}

fn strategy(doc: &Document, c: &mut Checker) -> Strategy {
    let Some(given) = &doc.deployment.strategy else {
        c.default_used("/service/strategy/type", "RollingUpdate");
        return fences(None, None, c);
    };
    let at = "/service/strategy/type";
    let known = ["RollingUpdate", "Recreate"];
    let unsupported =
        format!("{INVALID}spec.strategy.type: Unsupported value: supported values: \"Recreate\", \"RollingUpdate\"");
    let kind = c.name(at, given.kind.as_deref(), &known, "RollingUpdate", Some(&unsupported));
    let rolling = given.rolling_update.as_ref();
    if kind == "Recreate" {
        if rolling.is_some() {
            let at = "/service/strategy/rollingUpdate";
            let words = format!(
                "{INVALID}spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"
            );
            c.refuse(at, "given", "nothing: Recreate stops every old Pod first", &words).nearest = Some(Value::Null);
        }
        return Strategy::Recreate;
    }
    fences(rolling.and_then(|r| r.max_surge.as_ref()), rolling.and_then(|r| r.max_unavailable.as_ref()), c)
}

fn fences(surge: Option<&IntOrString>, unavailable: Option<&IntOrString>, c: &mut Checker) -> Strategy {
    let at = "/service/strategy/rollingUpdate";
    let max_surge = fence(&pointer_join(at, "maxSurge"), surge, SURGE_MAX, c);
    let at = pointer_join(at, "maxUnavailable");
    let max_unavailable = fence(&at, unavailable, 100, c);
    if let (Some(up), Some(down)) = (max_surge, max_unavailable)
        && up.is_zero()
        && down.is_zero()
    {
        let words = answer(&at, shown(unavailable), "may not be 0 when `maxSurge` is 0");
        c.refuse(&at, shown(unavailable), "more than 0, or maxSurge more than 0: else nothing could move", &words)
            .nearest = Some(1.into());
    }
    Strategy::RollingUpdate { max_surge, max_unavailable }
}

fn shown(value: Option<&IntOrString>) -> String {
    match value {
        Some(IntOrString::Int(n)) => n.to_string(),
        Some(IntOrString::Text(text)) => format!("\"{text}\""),
        None => String::from("\"25%\""),
    }
}

/// `maxSurge` or `maxUnavailable`; percentages up to `most`.
pub(super) fn fence(at: &str, value: Option<&IntOrString>, most: i64, c: &mut Checker) -> Option<IntOrPercent> {
    let Some(value) = value else {
        c.default_used(at, "25%");
        return Some(IntOrPercent::Percent(25));
    };
    whole_or_percent(at, value, most, c)
}

/// A whole number, or a percentage up to `most`.
pub(super) fn whole_or_percent(at: &str, value: &IntOrString, most: i64, c: &mut Checker) -> Option<IntOrPercent> {
    let allowed = "a whole number of 0 or more, or a percentage such as \"25%\"";
    match value {
        IntOrString::Int(n) if *n < 0 => {
            let words = answer(at, n, "must be greater than or equal to 0");
            c.refuse(at, n, allowed, &words).nearest = Some(0.into());
            None
        }
        // More than the largest fleet is as much as all of it.
        IntOrString::Int(n) => Some(IntOrPercent::Int(u32::try_from(*n).unwrap_or(u32::MAX).min(TASKS_MAX))),
        IntOrString::Text(text) => {
            let digits = text.strip_suffix('%').filter(|digits| !digits.is_empty());
            let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
            let percent = digits.and_then(|digits| digits.parse::<i64>().ok());
            let Some(percent) = percent else {
                let words = "a valid percent string must be a numeric string followed by an ending '%'";
                let words = answer(at, shown(Some(value)), words);
                c.refuse(at, shown(Some(value)), allowed, &words).nearest = Some("25%".into());
                return None;
            };
            if percent > most {
                let words = answer(at, shown(Some(value)), "must not be greater than 100%");
                let words = if most == 100 { words } else { String::new() };
                let allowed = format!("at most {most}%");
                let problem = c.refuse(at, shown(Some(value)), &allowed, &words);
                problem.service_error = problem.service_error.take().filter(|text| !text.is_empty());
                problem.nearest = Some(format!("{most}%").into());
                return None;
            }
            Some(IntOrPercent::Percent(percent as u32))
        }
    }
}

pub(super) fn pod(template: Option<&PodTemplateDoc>, doc: &Document, c: &mut Checker) -> PodSpec {
    let spec = template.and_then(|template| template.spec.as_ref());
    let at = "/service/template/spec";
    let at_grace = pointer_join(at, "terminationGracePeriodSeconds");
    let grace = count(&at_grace, spec.and_then(|spec| spec.termination_grace), SECONDS_MAX, 30, c);
    if let Some(policy) = spec.and_then(|spec| spec.restart_policy.as_deref()).filter(|policy| *policy != "Always") {
        let words = format!(
            "{INVALID}spec.template.spec.restartPolicy: Unsupported value: \"{policy}\": supported values: \"Always\""
        );
        let at = pointer_join(at, "restartPolicy");
        c.refuse(&at, policy, "Always, the only one a Deployment takes", &words).nearest = Some("Always".into());
    }
    let containers = spec.and_then(|spec| spec.containers.as_deref()).unwrap_or(&[]);
    let probed = |container: &KubeContainer| {
        container.startup_probe.is_some() || container.readiness_probe.is_some() || container.liveness_probe.is_some()
    };
    let index = containers.iter().position(probed).unwrap_or(0);
    let at = pointer_join(&pointer_join(at, "containers"), index);
    if containers.iter().filter(|container| probed(container)).count() > 1 {
        c.not_simulated(&at, "of several containers with probes the first one stands for the Pod");
    }
    let container = containers.get(index);
    let mut probe = |name: &str, read: fn(&KubeContainer) -> &Option<ProbeDoc>| {
        let given = container.and_then(|container| read(container).as_ref());
        given.map(|given| self::probe(&pointer_join(&at, name), given, name == "readinessProbe", c))
    };
    let startup = probe("startupProbe", |container| &container.startup_probe);
    let readiness = probe("readinessProbe", |container| &container.readiness_probe);
    let liveness = probe("livenessProbe", |container| &container.liveness_probe);
    PodSpec {
        grace_ms: grace as u64 * SECOND,
        pre_stop_ms: pre_stop(&at, container, c),
        startup,
        readiness,
        liveness,
        propagation_ms: propagation(doc, c),
    }
}

/// A probe's time of at least 1 s.
fn positive(at: &str, value: Option<i64>, max: i64, default: i64, c: &mut Checker) -> i64 {
    if value.is_some_and(|n| n < 1) {
        // The API server fills in the default where 0 is written.
        let n = value.unwrap_or_default();
        if n == 0 {
            c.advise(at, 0, &format!("0 is read as absent: {default}"));
            return default;
        }
        let words = answer(at, n, "must be greater than or equal to 0");
        c.refuse(at, n, "a whole number, 1 or more", &words).nearest = Some(default.into());
        return default;
    }
    c.number(at, value, 1, max, default, None)
}

fn probe(at: &str, doc: &ProbeDoc, readiness: bool, c: &mut Checker) -> ProbeParams {
    let here = |name: &str| pointer_join(at, name);
    let initial_delay = count(&here("initialDelaySeconds"), doc.initial_delay, SECONDS_MAX, 0, c);
    let period = positive(&here("periodSeconds"), doc.period, SECONDS_MAX, 10, c);
    let timeout = positive(&here("timeoutSeconds"), doc.timeout, SECONDS_MAX, 1, c);
    let at_success = here("successThreshold");
    let success = positive(&at_success, doc.success_threshold, 10_000, 1, c);
    if success != 1 && !readiness {
        c.refuse(&at_success, success, "1, but for a readinessProbe", &answer(&at_success, success, "must be 1"))
            .nearest = Some(1.into());
    }
    let failure = positive(&here("failureThreshold"), doc.failure_threshold, 10_000, 3, c);
    let at_grace = here("terminationGracePeriodSeconds");
    if readiness && doc.termination_grace.is_some() {
        let words = answer(&at_grace, doc.termination_grace.unwrap_or_default(), "must not be set for readinessProbes");
        c.refuse(&at_grace, "given", "nothing: a readinessProbe kills no container", &words).nearest =
            Some(Value::Null);
    }
    let grace = doc.termination_grace.map(|given| positive(&at_grace, Some(given), SECONDS_MAX, 30, c));
    let seconds = |n: i64| n as u64 * SECOND;
    ProbeParams {
        initial_delay_ms: seconds(initial_delay),
        period_ms: seconds(period),
        timeout_ms: seconds(timeout),
        success_threshold: success as u32,
        failure_threshold: failure as u32,
        grace_ms: grace.map(seconds),
    }
}

fn pre_stop(at: &str, container: Option<&KubeContainer>, c: &mut Checker) -> Option<u64> {
    let hook = container?.lifecycle.as_ref()?.pre_stop.as_ref()?;
    let at = pointer_join(at, "lifecycle/preStop");
    if hook.exec.is_some() || hook.http_get.is_some() {
        c.not_simulated(&at, "how long an exec or httpGet hook takes is not known: write it as sleep");
    }
    let seconds = hook.sleep.as_ref()?.seconds;
    Some(count(&pointer_join(&at, "sleep/seconds"), seconds, SECONDS_MAX, 0, c) as u64 * SECOND)
}

/// From a deletion until nobody sends requests any more.
fn propagation(doc: &Document, c: &mut Checker) -> u64 {
    let at = "/timing/endpoint_propagation";
    match doc.timing.endpoint_propagation {
        Some(span) if span.0 <= duration::MAX_MS => span.0,
        Some(_) => {
            c.invalid(at, "too long", &format!("at most {}", duration::print(duration::MAX_MS)));
            0
        }
        None => {
            c.default_used(at, duration::print(PodSpec::default().propagation_ms));
            PodSpec::default().propagation_ms
        }
    }
}

pub(super) fn quota(doc: &Document, c: &mut Checker) -> Vec<(SimTime, u32)> {
    let list = doc.resource_quota.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/resourceQuota", list.len(), &format!("at most {LIST_MAX} steps"));
    }
    let mut steps = Vec::new();
    for (i, step) in list.iter().enumerate() {
        let at = pointer_join("/resourceQuota", i);
        let moment = moment(&at, step.at, c);
        let at = pointer_join(&at, "pods");
        match step.pods {
            Some(pods) => steps.push((moment, count(&at, Some(pods), i64::from(u32::MAX), 0, c) as u32)),
            None => c.missing(&at, "the number of Pods, 0 or more", None),
        }
    }
    rollscope_engine::order::by_key(&mut steps, |step| step.0);
    steps
}

/// Without checks of a load balancer; requests are open for `open_s` by default.
pub(super) fn timing(doc: &Document, open_s: u64, c: &mut Checker) -> Timing {
    let t = &doc.timing;
    let mut with_default = |name: &str, value: &Option<Distribution>, seconds: u64, never: bool| {
        let at = pointer_join("/timing", name);
        match value {
            Some(d) => {
                distribution(&at, d, never, c);
                d.clone()
            }
            None => {
                c.default_used(&at, duration::print(seconds * SECOND));
                Distribution::Constant(seconds * SECOND)
            }
        }
    };
    let provisioning = with_default("provisioning", &t.provisioning, 5, false);
    let pull = with_default("pull", &t.pull, 10, false);
    let start_up = with_default("start_up", &t.start_up, 15, false);
    let open_request = with_default("open_request", &t.open_request, open_s, false);
    let exit_after_sigterm = with_default("exit_after_sigterm", &t.exit_after_sigterm, 2, true);
    for (name, value) in [("healthy_after", &t.healthy_after), ("gone_after", &t.gone_after)] {
        if let Some(d) = value {
            distribution(&pointer_join("/timing", name), d, false, c);
        }
    }
    Timing {
        provisioning,
        pull,
        start_up,
        first_check: None,
        open_request,
        exit_after_sigterm,
        healthy_after: t.healthy_after.clone(),
        gone_after: t.gone_after.clone(),
    }
}

/// The two templates and what exists at time 0.
fn revisions(doc: &Document, replicas: u32, c: &mut Checker) -> (Vec<Revision>, u32, Start) {
    let mut number =
        |at: &str, given: Option<i64>, default: i64| c.number(at, given, 1, i64::from(u32::MAX), default, None) as u32;
    let old = number("/old/revision", doc.old.revision, 1);
    let new = number("/new/revision", doc.new.revision, i64::from(old) + 1);
    if old == new {
        c.invalid("/new/revision", new, "another number than the old template").nearest =
            Some((i64::from(old) + 1).into());
    }
    let mut side = |at: &str, side: &RevisionDoc, number: u32| {
        let behaviour = behaviour(at, side.fate.as_ref(), side.by_start.as_ref(), None, c);
        no_pools(at, &behaviour, c);
        Revision::new(number, behaviour)
    };
    let known = Vec::from([side("/old", &doc.old, old), side("/new", &doc.new, new)]);
    let given = doc.start.as_ref();
    let nothing = given.and_then(|start| start.deployments.as_ref()).is_some_and(Vec::is_empty);
    let deploy = given.and_then(|start| start.deploy).unwrap_or(true);
    let steady = StartDeployment {
        revision: old,
        state: RolloutState::Completed,
        failed_tasks: 0,
        healthy: replicas,
        protected: 0,
        running: 0,
        pending: 0,
        unhealthy: 0,
        stopping: 0,
    };
    let deployments = if nothing { Vec::new() } else { Vec::from([steady]) };
    if nothing && !deploy {
        c.invalid("/start/deploy", "false", "true: otherwise nothing exists").nearest = Some(true.into());
    }
    (known, new, Start { deployments, deploy: deploy.then_some(new) })
}

/// A shared pool is not simulated here.
pub(super) fn no_pools(at: &str, behaviour: &Behaviour, c: &mut Checker) {
    fn pooled(fate: &Fate) -> bool {
        match fate {
            Fate::AboveRunning(_) => true,
            Fate::InZone { fate, .. } | Fate::Ratio { fate, .. } => pooled(fate),
            _ => false,
        }
    }
    if behaviour.by_start.iter().map(|entry| &entry.1).chain([&behaviour.fate]).any(pooled) {
        c.not_available(&pointer_join(at, "fate"), "above_running", "not simulated on this platform yet");
    }
}

/// Warns of a fate that no probe of the template would notice.
fn unseen(doc: &Document, pod: &PodSpec, c: &mut Checker) {
    if doc.timing.healthy_after.is_some() || pod.readiness.is_some() {
        return;
    }
    let text = "there is no readinessProbe, so every Pod is ready as soon as its container runs";
    for (at, side) in [("/new/fate", &doc.new), ("/old/fate", &doc.old)] {
        let name = match side.fate {
            Some(Fate::NeverPasses) => "never_passes",
            Some(Fate::Hangs) => "hangs",
            Some(Fate::TurnsUnhealthyAfter(_)) => "turns_unhealthy_after",
            _ => continue,
        };
        c.push(Problem::warning(Kind::Advice, at, name, text));
    }
}
