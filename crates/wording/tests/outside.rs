//! What was counted, where protection ends and what others see, word for word.

use rollscope_engine::SimTime;
use rollscope_engine::sim::service_deployment::{ProtectionEnd, ServiceStatus};
use rollscope_engine::trace::{DeploymentId, ServiceId};
use rollscope_insight::outside::{Colour, Signal, Trusts, known_until, signals};
use rollscope_insight::{Failures, Tally, failures, run_to_end};
use rollscope_scenario::Document;
use rollscope_wording::{Scene, outside};

fn run(text: &str) -> rollscope_insight::Run {
    run_to_end(Document::from_text(text).resolve().expect("it runs").settings)
}

#[test]
fn limits() {
    assert_eq!(outside::threshold(1), "1 failure trips it");
    assert_eq!(outside::threshold(200), "200 failures trip it");
    assert_eq!(outside::gate(1), "1 healthy new task is enough");
    assert_eq!(outside::gate(4_950), "4,950 healthy new tasks are enough");
    assert_eq!(outside::candidate(Some((DeploymentId(0), 7))), "r7, COMPLETED");
    assert_eq!(outside::candidate(None), "none: no deployment is COMPLETED");
}

#[test]
fn a_rollback_from_outside() {
    let run = run(r#"{"service": {"desiredCount": 3, "deploymentConfiguration":
        {"deploymentCircuitBreaker": {"enable": true, "rollback": true}}}, "new": {"fate": "never_running"}, "quotas": "none"}"#);
    let services = run.end.frame().service_deployments;
    let found = failures(run.view(), &services);
    assert_eq!(outside::counted(&found), "3 failures (threshold 3)");
    let (at, why) = found.protection_ended.expect("it ended");
    assert_eq!(outside::protection_ends(at, why), "ends at 0:15: the rollback has begun");
    let newest = services.last().expect("one");
    let said: Vec<String> = signals(run.view(), newest, known_until(run.view()))
        .iter()
        .map(|signal| format!("{}: {}", outside::trusts(signal.trusts), outside::signal(signal, newest.revision)))
        .collect();
    assert_eq!(
        said,
        [
            "the waiter: green at 0:15, though r7 is PRIMARY and not r8",
            "rolloutState: green at 0:15, though r7 is PRIMARY and not r8",
            "SERVICE_DEPLOYMENT_FAILED: red at 0:15",
            "CloudFormation: red at 0:15",
            "ServiceDeployment.status: red at 0:15",
            "own alarms: green at 5:15, though r7 is PRIMARY and not r8",
        ]
    );
}

#[test]
fn what_is_open() {
    let tally = Tally { service: ServiceId(0), revision: 8, counted: 0, not_counted: 1_250 };
    let none = Failures { tallies: vec![tally], ..Failures::default() };
    assert_eq!(outside::counted(&none), "none of 1,250 failures: there is no circuit breaker");
    let waiting = Signal {
        trusts: Trusts::Waiter,
        colour: Colour::Waiting,
        at: None,
        revision: None,
        misleads: None,
        status: ServiceStatus::Pending,
        creates: false,
    };
    assert_eq!(outside::signal(&waiting, 8), "says nothing yet");
    assert_eq!(outside::watchdog(SimTime(50_000), None), "alarm since 0:50");
    assert_eq!(outside::watchdog(SimTime(50_000), Some(SimTime(350_000))), "alarm from 0:50 to 5:50");
    assert_eq!(outside::protection_end(ProtectionEnd::Successful), "the deployment is SUCCESSFUL");
}

#[test]
fn alarms_are_called_by_their_names() {
    let text = r#"{"service": {"desiredCount": 2, "deploymentConfiguration":
        {"alarms": {"alarmNames": ["errors"], "enable": true, "rollback": true}}}, "quotas": "none",
        "timing": {"gone_after": "10m"}, "alarms": [{"name": "errors", "changes": [{"at": "2m", "state": "ALARM"}]}]}"#;
    let run = run(text);
    let frame = run.end.frame();
    let scene = Scene { alarms: &run.end.settings().alarms, ..Scene::of(&frame, false, run.end.acts()) };
    let said = |at: u64| {
        let records: Vec<_> = run.trace.records.iter().filter(|record| record.at == SimTime(at)).copied().collect();
        rollscope_wording::caption(&records, &scene)
    };
    assert_eq!(said(120_000), "Alarm \"errors\" is in state ALARM.");
    assert!(
        said(140_000).contains("Alarm \"errors\" fired: the deployment fails and goes back to r7."),
        "{}",
        said(140_000)
    );
}
