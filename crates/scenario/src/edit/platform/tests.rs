//! Moving between platforms: numbers, names, and laws over all examples.

use super::*;
use crate::{Document, Preset, json};

const MINIMUM: &str = "/service/deploymentConfiguration/minimumHealthyPercent";
const MAXIMUM: &str = "/service/deploymentConfiguration/maximumPercent";
const UNAVAILABLE: &str = "/service/strategy/rollingUpdate/maxUnavailable";
const SURGE: &str = "/service/strategy/rollingUpdate/maxSurge";

fn value(text: &str) -> Value {
    json::read(text).expect("JSON").value
}

fn limits(tree: &Value) -> Option<(u32, u32, u32)> {
    let (document, problems) = Document::from_value(tree);
    assert!(problems.iter().all(|problem| !problem.is_error()), "{problems:?}");
    let resolved = document.resolve().ok()?;
    let limits = rollscope_engine::Simulation::new(resolved.settings).frame().counts.limits;
    Some((limits.desired, limits.floor, limits.ceiling))
}

#[test]
fn the_dials_keep_their_numbers() {
    let table = [
        (r#"{"service":{"desiredCount":4}}"#, ("0%", "\"100%\"")),
        (
            r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":50,"maximumPercent":125}}}"#,
            ("50%", "\"25%\""),
        ),
        // 3 at 150: 4.5, down to 4; 50 % of 3 as a surge would be 2.
        (r#"{"service":{"desiredCount":3,"deploymentConfiguration":{"maximumPercent":150}}}"#, ("0%", "1")),
    ];
    for (text, (unavailable, surge)) in table {
        let there = moved(&value(text), Platform::Kubernetes).tree;
        assert_eq!(there.pointer(UNAVAILABLE).and_then(Value::as_str), Some(unavailable), "{text}");
        assert_eq!(there.pointer(SURGE).map(Value::to_string).as_deref(), Some(surge), "{text}");
        assert_eq!(limits(&there), limits(&value(text)), "{text}");
    }
    let three = value(r#"{"platform":"kubernetes-deployment","service":{"replicas":3}}"#);
    let there = moved(&three, Platform::Ecs).tree;
    assert_eq!((there.pointer(MINIMUM), there.pointer(MAXIMUM)), (Some(&75.into()), Some(&134.into())));
}

#[test]
fn what_has_a_counterpart_is_carried_over_and_the_rest_is_named() {
    let text = r#"{"title":"web","service":{"desiredCount":2,"healthCheckGracePeriodSeconds":60,
        "deploymentConfiguration":{"deploymentCircuitBreaker":{"enable":true,"rollback":true}}},
        "containers":[{"stopTimeout":45}],
        "targetGroups":[{"healthCheckIntervalSeconds":10,"deregistration_delay.timeout_seconds":30}],
        "new":{"fate":"never_passes"},"acts":[{"at":"1m","do":"desired","count":3},{"at":"2m","do":"stop_deployment"}]}"#;
    let found = moved(&value(text), Platform::Kubernetes);
    let there = |pointer: &str| found.tree.pointer(pointer).map(Value::to_string);
    assert_eq!(there("/service/template/spec/terminationGracePeriodSeconds").as_deref(), Some("45"));
    let probe = r#"{"periodSeconds":10,"timeoutSeconds":5,"successThreshold":5,"failureThreshold":2}"#;
    assert_eq!(there("/service/template/spec/containers/0/readinessProbe").as_deref(), Some(probe));
    assert_eq!(there("/acts").as_deref(), Some(r#"[{"at":"1m","do":"scale","replicas":3}]"#));
    assert_eq!(there("/new/fate").as_deref(), Some("\"never_passes\""));
    let lost = [
        "/acts/1",
        "/service/healthCheckGracePeriodSeconds",
        "/service/deploymentConfiguration/deploymentCircuitBreaker/enable",
        "/service/deploymentConfiguration/deploymentCircuitBreaker/rollback",
        "/targetGroups/0/deregistration_delay.timeout_seconds",
    ];
    assert_eq!(found.lost, lost);
    assert!(found.renamed.contains(&("/service/desiredCount".into(), "/service/replicas".into())));
    let back = moved(&found.tree, Platform::Ecs);
    assert_eq!(back.tree.pointer("/targetGroups/0/healthCheckIntervalSeconds"), Some(&10.into()));
    assert_eq!(back.tree.pointer("/containers/0/stopTimeout"), Some(&45.into()));
    assert_eq!(back.lost, [] as [&str; 0]);
}

/// What a platform can say of a floor and a ceiling.
fn sayable((desired, floor, ceiling): (u32, u32, u32), to: Platform) -> Option<(u32, u32, u32)> {
    let (down, up) = (desired - floor, ceiling - desired);
    let one = desired.min(1);
    let (down, up) = match to {
        _ if desired == 0 => return None,
        Platform::Ecs => (down, up),
        // One goes where nothing else is possible.
        Platform::Kubernetes | Platform::Mig => (if up == 0 { down.max(one) } else { down }, up),
        // One at a time without the feature gate.
        Platform::StatefulSet => (1, 0),
        Platform::DaemonSet if down == 0 && up > 0 => (0, up),
        Platform::DaemonSet => (down.max(one), 0),
        // One more where nothing may be missing; the two percentages are at most 100 apart.
        Platform::InstanceRefresh if down == 0 => (0, up.max(1)),
        Platform::InstanceRefresh => return None,
        Platform::Vmss if down == 0 && up > 0 => (0, up.min(desired)),
        Platform::Vmss => (down.max(one), 0),
    };
    Some((desired, desired - down, desired + up))
}

#[test]
fn every_preset_can_be_moved_everywhere_and_keeps_what_limits_can_be_said() {
    for preset in Preset::all() {
        let tree = value(preset.document);
        let from = Platform::of(&tree).unwrap_or_else(|| panic!("{}: a platform", preset.id));
        let shifted = tree.pointer("/service/deploymentConfiguration/strategy").is_some();
        let daemon = tree.pointer("/service/schedulingStrategy").is_some();
        for to in Platform::ALL.into_iter().filter(|to| *to != from) {
            let name = format!("{} to {to:?}", preset.id);
            let there = moved(&tree, to);
            assert_eq!(Platform::of(&there.tree), Some(to), "{name}");
            assert!(there.lost.iter().all(|lost| tree.pointer(lost).is_some()), "{name}: {:?}", there.lost);
            // A ceiling of traffic that is shifted, and one task an instance, are not those of the dials.
            if let Some(wanted) = limits(&tree).filter(|_| !shifted && !daemon).and_then(|here| sayable(here, to)) {
                assert_eq!(limits(&there.tree), Some(wanted), "{name}: {}", there.tree);
            }
        }
    }
}

#[test]
fn what_is_moved_is_accepted_and_every_field_of_it_is_used() {
    for preset in Preset::all() {
        let tree = value(preset.document);
        let Ok(here) = Document::from_value(&tree).0.resolve() else { continue };
        for to in Platform::ALL {
            let there = moved(&tree, to);
            let (document, mut problems) = Document::from_value(&there.tree);
            match document.resolve() {
                Ok(resolved) => problems.extend(resolved.warnings),
                Err(found) => problems.extend(found),
            }
            let bad = |problem: &&crate::Problem| problem.is_error() || problem.allowed.starts_with("unused");
            let before: Vec<&str> = here.warnings.iter().filter(bad).map(|problem| problem.allowed.as_str()).collect();
            let new = |problem: &&crate::Problem| bad(problem) && !before.contains(&problem.allowed.as_str());
            let found: Vec<_> = problems.iter().filter(new).collect();
            assert!(found.is_empty(), "{} to {to:?}: {found:?} in {}", preset.id, there.tree);
        }
    }
}

#[test]
fn machines_have_a_check_a_size_and_two_dials() {
    let ecs = value(
        r#"{"service":{"serviceName":"web","desiredCount":10,"healthCheckGracePeriodSeconds":60,
        "deploymentConfiguration":{"minimumHealthyPercent":80,"maximumPercent":120}},
        "targetGroups":[{"healthCheckIntervalSeconds":10,"deregistration_delay.timeout_seconds":30}],
        "acts":[{"at":"1m","do":"desired","count":12}]}"#,
    );
    for (to, service, act) in [
        (
            Platform::Mig,
            r#"{"name":"web","targetSize":10,"updatePolicy":{"maxSurge":{"fixed":2},"maxUnavailable":{"fixed":2}},"#,
            "resize",
        ),
        (
            Platform::Vmss,
            // A batch of 20 % is the default.
            r#"{"name":"web","sku":{"capacity":10},"applicationHealth":"#,
            "capacity",
        ),
        (
            Platform::InstanceRefresh,
            r#"{"AutoScalingGroupName":"web","DesiredCapacity":10,"Preferences":{"MinHealthyPercentage":80,"MaxHealthyPercentage":120},"#,
            "desired",
        ),
    ] {
        let there = moved(&ecs, to);
        let text = there.tree.get("service").map(Value::to_string).unwrap_or_default();
        assert!(text.starts_with(service), "{to:?}: {text}");
        assert_eq!(there.tree.pointer("/acts/0/do").and_then(Value::as_str), Some(act));
        let back = moved(&there.tree, Platform::Ecs);
        assert_eq!(limits(&back.tree).map(|(desired, ..)| desired), Some(10), "{to:?}");
        assert!(back.lost.is_empty(), "{to:?}: {:?}", back.lost);
    }
}

#[test]
fn pods_keep_their_template_under_another_controller() {
    let deployment = value(
        r#"{"platform":"kubernetes-deployment","service":{"replicas":4,"minReadySeconds":5,"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":2}},
        "template":{"spec":{"containers":[{"readinessProbe":{"periodSeconds":5}}]}}},"acts":[{"at":"1m","do":"undo"},{"at":"2m","do":"pause"}]}"#,
    );
    let there = moved(&deployment, Platform::DaemonSet);
    assert_eq!(there.tree.get("nodes"), Some(&4.into()));
    assert_eq!(
        there.tree.get("service").map(Value::to_string).as_deref(),
        Some(
            r#"{"updateStrategy":{"rollingUpdate":{"maxUnavailable":2}},"template":{"spec":{"containers":[{"readinessProbe":{"periodSeconds":5}}]}},"minReadySeconds":5}"#
        )
    );
    assert_eq!(there.lost, ["/acts/1"]);
}

#[test]
fn a_dial_that_says_nothing_there_is_named() {
    let one_zero = value(
        r#"{"platform":"kubernetes-deployment","service":{"replicas":4,"strategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":0}}}}"#,
    );
    assert_eq!(moved(&one_zero, Platform::StatefulSet).lost, [SURGE, UNAVAILABLE]);
    let both = value(
        r#"{"service":{"desiredCount":10,"deploymentConfiguration":{"minimumHealthyPercent":80,"maximumPercent":120}}}"#,
    );
    for to in [Platform::DaemonSet, Platform::Vmss] {
        assert_eq!(moved(&both, to).lost, [MAXIMUM], "{to:?}");
    }
    assert!(moved(&both, Platform::Mig).lost.is_empty());
}
