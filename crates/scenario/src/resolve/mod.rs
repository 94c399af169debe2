//! From the document to settings the engine runs: every rule is checked, every default is
//! filled in and listed, every problem is reported at once.

mod acts;
mod asg;
mod asg_acts;
mod capacity;
mod checker;
mod failure;
mod fjall;
mod kubernetes;
mod kubernetes_acts;
mod machines;
mod mig;
mod placed;
mod protection;
mod run;
mod service;
mod shift;
mod traffic;
mod vmss;
mod workload;

use alloc::string::String;
use alloc::vec::Vec;

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::{Params, Readings};
use rollscope_engine::settings::{EVENT_BUDGET_NATIVE, Quotas, SCHEMA_CHECK_MS, Settings};
use rollscope_engine::time::{DAY, SimTime};

use crate::document::{Document, VERSION};
use crate::duration;
use crate::json::Value;
use crate::limits::Limits;
use crate::problem::{Kind, Problem};
use checker::Checker;
pub use fjall::Watchdog;
use service::CheckedService;
use workload::Workload;

/// A run ends after 16 days at the latest.
pub const UNTIL_MAX_MS: u64 = 16 * DAY;
/// Most entries of `acts`, `places`, `by_start` and tables of a distribution.
pub const LIST_MAX: usize = 10_000;
/// Most deployments in `start`.
pub const DEPLOYMENTS_MAX: usize = 32;
/// Most different numbers in `above_running`.
pub const POOLS_MAX: usize = 64;
/// Platforms the document knows by name.
pub const PLATFORMS: [&str; 7] =
    ["ecs", "kubernetes-deployment", "statefulset", "daemonset", "asg-refresh", "vmss", "mig"];

/// A document that can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// What the engine runs. The event budget is the native one; callers may lower it.
    pub settings: Settings,
    /// Floor and ceiling at the start.
    pub limits: Limits,
    /// What is worth knowing.
    pub warnings: Vec<Problem>,
    /// Defaults that were filled in.
    pub defaulted: Vec<Defaulted>,
    /// Every switch with the value in force.
    pub readings: Vec<ReadingInForce>,
    /// Fields that were given and are not simulated.
    pub not_simulated: Vec<NotSimulated>,
    /// The place in the document of each act of the settings; those are in the order of time.
    pub act_places: Vec<u32>,
    /// The task-stop watchdog beside the service.
    pub watchdog: Watchdog,
}

/// A default that was filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defaulted {
    /// JSON pointer of the absent field.
    pub field: String,
    /// The value used, as it would be written.
    pub value: Value,
}

/// A switch with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingInForce {
    /// Its name in `readings`.
    pub name: &'static str,
    /// The value in force.
    pub value: Value,
    /// True when the document says so itself (which may be the default value).
    pub given: bool,
    /// True when it acts in this version of the simulator.
    pub simulated: bool,
}

/// A field that was given and has no effect on the run yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSimulated {
    /// JSON pointer.
    pub field: String,
    /// Why, in words.
    pub why: String,
}

impl Document {
    /// Checks everything and gives the settings of the run, or all problems at once (errors
    /// first, then warnings). Problems have no line here; [`crate::document::Reading::resolve`]
    /// adds it when the document came from text.
    pub fn resolve(&self) -> Result<Resolved, Vec<Problem>> {
        match self.platform.as_deref() {
            Some(crate::document::kubernetes::DEPLOYMENT) => kubernetes::resolve(self),
            Some(crate::document::placed::STATEFUL_SET) => placed::stateful_set(self),
            Some(crate::document::placed::DAEMON_SET) => placed::daemon_set(self),
            Some(crate::document::asg::REFRESH) => asg::resolve(self),
            Some(crate::document::machines::MIG) => mig::resolve(self),
            Some(crate::document::machines::VMSS) => vmss::resolve(self),
            _ => self.resolve_ecs(),
        }
    }

    fn resolve_ecs(&self) -> Result<Resolved, Vec<Problem>> {
        let mut c = Checker::default();
        check_frame(self, &mut c);
        let service = service::check(self, &mut c);
        let workload = workload::check(self, &service, &mut c);
        let timing = run::timing(self, &workload, &mut c);
        let readings = run::readings(self, &mut c);
        let revisions = run::revisions(self, service.desired, &mut c);
        let exit_codes = run::exit_codes(self, &revisions, &mut c);
        let capacity = capacity::check(self, &service, &mut c);
        capacity::start_fits(&capacity, &revisions.start, &mut c);
        let traffic = traffic::traffic(self, &revisions, &mut c);
        let scaling = traffic::scaling(self, &mut c);
        let alarms = failure::alarms(self, &mut c);
        let schema = failure::schema(self, &mut c);
        let acts = acts::acts(self, &service, (&capacity, &alarms), revisions.new, &mut c);
        let (act_places, acts): (Vec<u32>, Vec<_>) = acts.into_iter().unzip();
        run::pools(&revisions.known, &acts, &mut c);
        run::unseen_fates(self, &workload, &mut c);
        let quotas = quotas(self, service.fargate, &mut c);
        let seed = c.number("/seed", self.seed, 0, i64::MAX, 1, None) as u64;
        let until = run::until(self, &mut c);
        let watchdog = fjall::watchdog(self, &mut c);
        advise_grace(&service, &workload, &mut c);
        let in_force = run::readings_in_force(self);
        if c.problems.iter().any(Problem::is_error) {
            return Err(c.into_problems());
        }
        let limits = match service.strategy.shift() {
            Some(_) => Limits::shifting(service.desired),
            None => Limits::of(service.desired, service.minimum, service.maximum),
        };
        let mut revisions = revisions;
        acts::add_deployed_revisions(self, &mut revisions.known, &acts);
        let settings = Settings {
            platform: PlatformSettings::Ecs(params(&service, readings)),
            strategy: service.strategy,
            containers: workload.containers,
            target_groups: workload.target_groups,
            stop_timeout_ms: workload.stop_timeout_ms,
            timing,
            revisions: revisions.known,
            capacity,
            fargate: service.fargate,
            exit_codes,
            rebalancing: service.rebalancing,
            traffic,
            scaling,
            alarms,
            schema,
            schema_check_ms: SCHEMA_CHECK_MS,
            start: revisions.start,
            acts,
            quotas,
            seed,
            until: until.map(SimTime),
            event_budget: EVENT_BUDGET_NATIVE,
        };
        Ok(Resolved {
            settings,
            limits,
            warnings: c.problems,
            defaulted: c.defaulted,
            readings: in_force,
            not_simulated: c.not_simulated,
            act_places,
            watchdog,
        })
    }
}

/// `quotas`
fn quotas(doc: &Document, fargate: bool, c: &mut Checker) -> Quotas {
    match c.name("/quotas", doc.quotas.as_deref(), &["default", "none"], "default", None) {
        "none" => Quotas::None,
        _ => Quotas::Default { fargate },
    }
}

fn advise_grace(service: &CheckedService, workload: &Workload, c: &mut Checker) {
    if service.grace_ms > 0 && workload.containers.is_empty() && workload.target_groups.is_empty() {
        let at = "/service/healthCheckGracePeriodSeconds";
        c.advise(at, duration::print(service.grace_ms), "unused: the service has no health check of any kind");
    }
}

fn params(service: &CheckedService, readings: Readings) -> Params {
    Params {
        desired: service.desired,
        minimum_healthy_percent: service.minimum,
        maximum_percent: service.maximum,
        grace_ms: service.grace_ms,
        breaker: service.protection.breaker,
        alarms: service.protection.alarms,
        early_success: service.protection.early,
        readings,
    }
}

/// Format version and platform.
fn check_frame(doc: &Document, c: &mut Checker) {
    check_version(doc, c);
    // The others were handed to their own readers before.
    c.name("/platform", doc.platform.as_deref(), &PLATFORMS, "ecs", None);
}

fn check_version(doc: &Document, c: &mut Checker) {
    if let Some(version) = doc.rollscope.filter(|v| *v != VERSION) {
        let problem = Problem::error(Kind::Invalid, "/rollscope", version_text(version), "1, the only format version");
        c.push(problem.with_nearest(VERSION));
    }
}

fn version_text(version: i64) -> String {
    alloc::format!("{version}")
}
