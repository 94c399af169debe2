//! Random documents, right and wrong ones: what is written can be read again, as JSON and as a
//! link, and validation answers whatever stands in them.

use rollscope_scenario::json::Value;
use rollscope_scenario::link::{decode, encode};
use rollscope_scenario::{Document, Link};

/// Choices from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn half(&mut self) -> bool {
        self.below(2) == 0
    }

    fn number(&mut self) -> Value {
        let plain = [0, 1, 2, 3, 5, 30, 50, 90, 99, 100, 101, 150, 200, 300, 1_440, 20_000, -1, i64::MAX, i64::MIN];
        Value::from(plain[self.below(plain.len())])
    }

    fn text(&mut self) -> Value {
        let plain = [
            "",
            "web",
            "true",
            "null",
            "7",
            "-1.5e3",
            "'",
            "~A",
            "()",
            "(:)",
            " a b ",
            "50 % & more = 1",
            "a.b/c#d?e+f",
            "äöü 🚀",
            "line\nbreak",
            "\"\\",
            "%41",
            "v1",
            "arn:aws:ecs:eu-central-1:1:service/x",
        ];
        Value::from(plain[self.below(plain.len())])
    }

    fn one(&mut self, names: &[&str]) -> Value {
        Value::from(names[self.below(names.len())])
    }

    fn span(&mut self) -> Value {
        match self.below(6) {
            0 => Value::from(self.below(100_000) as u64),
            1 => self.one(&["0s", "1ms", "999d23h", "1d2h3m4s5ms"]),
            n => Value::from(format!("{}s", n * 7)),
        }
    }

    fn list(&mut self, most: usize, mut item: impl FnMut(&mut Dice) -> Value) -> Value {
        let n = self.below(most + 1);
        Value::Array((0..n).map(|_| item(self)).collect())
    }

    /// An object of some of these fields.
    fn some(&mut self, fields: &mut [(&str, &mut dyn FnMut(&mut Dice) -> Value)]) -> Value {
        let mut out = Value::empty_object();
        for (key, field) in fields {
            if self.half() {
                let value = field(self);
                out.insert(*key, value);
            }
        }
        out
    }

    fn distribution(&mut self) -> Value {
        match self.below(6) {
            0 => Value::object([("constant", self.span())]),
            1 => Value::object([("uniform", Value::array([self.span(), self.span()]))]),
            2 => Value::object([("triangular", Value::array([self.span(), self.span(), self.span()]))]),
            3 => {
                let rows = self.list(12, |d| Value::array([d.span(), Value::from(d.below(9))]));
                Value::object([("table", rows)])
            }
            4 => "never".into(),
            _ => self.span(),
        }
    }

    fn fate(&mut self, depth: usize) -> Value {
        let one = |name: &str, value: Value| Value::object([(name, value)]);
        match self.below(if depth < 4 { 10 } else { 8 }) {
            0 => "healthy".into(),
            1 => "never_running".into(),
            2 => "never_passes".into(),
            3 => "hangs".into(),
            4 => one("never_running", one("after", self.span())),
            5 => one("exits_after", self.span()),
            6 => one("turns_unhealthy_after", self.span()),
            7 => one("above_running", Value::from(self.below(9))),
            8 => one("in_zone", Value::object([("zone", Value::from(self.below(4))), ("fate", self.fate(depth + 1))])),
            _ => {
                let of = Value::array([self.below(4), self.below(4)]);
                one("ratio", Value::object([("of", of), ("fate", self.fate(depth + 1))]))
            }
        }
    }

    fn by_start(&mut self) -> Value {
        let mut out = Value::empty_object();
        for _ in 0..self.below(12) {
            let (k, fate) = (self.below(30), self.fate(1));
            out.insert(k.to_string(), fate);
        }
        out
    }

    fn revision(&mut self) -> Value {
        self.some(&mut [
            ("revision", &mut |d| Value::from(d.below(10))),
            ("fate", &mut |d| d.fate(0)),
            ("by_start", &mut Dice::by_start),
            ("bad_responses", &mut Dice::ratio),
            ("expects", &mut Dice::version),
            ("digest_fails", &mut Dice::flag),
            ("exit_code", &mut |d| Value::from(d.below(300))),
        ])
    }

    fn ratio(&mut self) -> Value {
        Value::array([self.below(3), self.below(3)])
    }

    fn version(&mut self) -> Value {
        match self.below(3) {
            0 => self.one(&["0041", "0042_orders", "7"]),
            _ => Value::from(self.below(100)),
        }
    }

    fn alarm_state(&mut self) -> Value {
        self.one(&["OK", "ALARM", "INSUFFICIENT_DATA", "ok"])
    }

    fn alarm(&mut self) -> Value {
        let mut change = |d: &mut Dice| d.some(&mut [("at", &mut Dice::span), ("state", &mut Dice::alarm_state)]);
        self.some(&mut [
            ("name", &mut Dice::text),
            ("at_start", &mut Dice::alarm_state),
            ("changes", &mut |d| d.list(5, &mut change)),
            ("bad_responses_over", &mut Dice::ratio),
            ("for", &mut Dice::span),
        ])
    }

    fn fjall(&mut self) -> Value {
        let mut breaker = |d: &mut Dice| match d.below(3) {
            0 => d.flag(),
            _ => d.some(&mut [
                ("rollback", &mut Dice::flag),
                ("resetOnHealthyTask", &mut Dice::flag),
                ("threshold", &mut Dice::number),
            ]),
        };
        self.some(&mut [
            ("circuitBreaker", &mut breaker),
            ("alertsTopic", &mut Dice::flag),
            ("alarms", &mut Dice::flag),
            ("taskStopWatchdog", &mut Dice::flag),
            ("schemaGate", &mut Dice::flag),
            ("databases", &mut |d| d.list(3, |d| d.one(&["sql", "clickhouse", ""]))),
        ])
    }

    fn act(&mut self) -> Value {
        self.some(&mut [
            ("at", &mut Dice::span),
            ("do", &mut |d| {
                d.one(&[
                    "kill",
                    "stop_task",
                    "interrupt",
                    "desired",
                    "percent",
                    "deploy",
                    "fate",
                    "fix",
                    "stop_deployment",
                    "alarm",
                    "schema",
                    "protect",
                    "unprotect",
                    "jump",
                ])
            }),
            ("task", &mut |d| Value::from(format!("{}.{}", d.below(9), d.below(9)))),
            ("count", &mut Dice::number),
            ("minimumHealthyPercent", &mut Dice::number),
            ("maximumPercent", &mut Dice::number),
            ("revision", &mut Dice::number),
            ("fate", &mut |d| d.fate(0)),
            ("by_start", &mut Dice::by_start),
            ("bad_responses", &mut Dice::ratio),
            ("expects", &mut Dice::version),
            ("digest_fails", &mut Dice::flag),
            ("expiresInMinutes", &mut Dice::number),
            ("renewed", &mut Dice::flag),
            ("name", &mut Dice::text),
            ("state", &mut Dice::alarm_state),
            ("version", &mut Dice::version),
        ])
    }

    fn flag(&mut self) -> Value {
        self.half().into()
    }

    fn deployment_configuration(&mut self) -> Value {
        let mut breaker = |d: &mut Dice| {
            d.some(&mut [
                ("enable", &mut Dice::flag),
                ("rollback", &mut Dice::flag),
                ("resetOnHealthyTask", &mut Dice::flag),
                ("thresholdConfiguration", &mut |d| {
                    d.some(&mut [
                        ("type", &mut |d| d.one(&["COUNT", "BOUNDED_PERCENT", "UNBOUNDED_PERCENT", "count"])),
                        ("value", &mut Dice::number),
                    ])
                }),
            ])
        };
        let mut alarms = |d: &mut Dice| {
            d.some(&mut [
                ("alarmNames", &mut |d| d.list(3, Dice::text)),
                ("enable", &mut Dice::flag),
                ("rollback", &mut Dice::flag),
            ])
        };
        let mut early = |d: &mut Dice| {
            d.some(&mut [
                ("enable", &mut Dice::flag),
                ("healthyPercent", &mut Dice::number),
                ("sourceServiceRevisionCleanup", &mut |d| d.one(&["BLOCKING", "DEFERRED", ""])),
            ])
        };
        let mut hooks = |d: &mut Dice| {
            d.list(3, |d| {
                d.some(&mut [
                    ("targetType", &mut |d| d.one(&["PAUSE", "AWS_LAMBDA"])),
                    ("lifecycleStages", &mut |d| {
                        d.list(3, |d| d.one(&["PRE_SCALE_UP", "PRODUCTION_TRAFFIC_SHIFT", "?"]))
                    }),
                    ("timeoutConfiguration", &mut |d| d.some(&mut [("timeoutInMinutes", &mut Dice::number)])),
                ])
            })
        };
        let mut linear = |d: &mut Dice| {
            d.some(&mut [("stepPercent", &mut |d| {
                let text = ["3", "33.3", "12.34", "1e1", "99999999999999999999"][d.below(5)];
                rollscope_scenario::json::read(text).expect("a number").value
            })])
        };
        self.some(&mut [
            ("strategy", &mut |d| d.one(&["ROLLING", "BLUE_GREEN", "LINEAR", "CANARY", "rolling"])),
            ("minimumHealthyPercent", &mut Dice::number),
            ("maximumPercent", &mut Dice::number),
            ("deploymentCircuitBreaker", &mut breaker),
            ("alarms", &mut alarms),
            ("bakeTimeInMinutes", &mut Dice::number),
            ("earlySuccessCriteria", &mut early),
            ("lifecycleHooks", &mut hooks),
            ("linearConfiguration", &mut linear),
        ])
    }

    fn service(&mut self) -> Value {
        self.some(&mut [
            ("serviceName", &mut Dice::text),
            ("desiredCount", &mut Dice::number),
            ("schedulingStrategy", &mut |d| d.one(&["REPLICA", "DAEMON", ""])),
            ("deploymentController", &mut |d| Value::object([("type", d.one(&["ECS", "EXTERNAL"]))])),
            ("healthCheckGracePeriodSeconds", &mut Dice::number),
            ("availabilityZoneRebalancing", &mut |d| d.one(&["ENABLED", "DISABLED"])),
            ("forceNewDeployment", &mut Dice::flag),
            ("launchType", &mut |d| d.one(&["EC2", "FARGATE", "EXTERNAL"])),
            ("capacityProviderStrategy", &mut |d| {
                d.list(2, |d| d.some(&mut [("capacityProvider", &mut Dice::text), ("weight", &mut Dice::number)]))
            }),
            ("deploymentConfiguration", &mut Dice::deployment_configuration),
            ("loadBalancers", &mut |d| d.list(2, |d| d.some(&mut [("targetGroupArn", &mut Dice::text)]))),
        ])
    }

    fn container(&mut self) -> Value {
        self.some(&mut [
            ("name", &mut Dice::text),
            ("essential", &mut Dice::flag),
            ("healthCheck", &mut |d| {
                d.some(&mut [
                    ("command", &mut |d| d.list(2, Dice::text)),
                    ("interval", &mut Dice::number),
                    ("retries", &mut Dice::number),
                ])
            }),
            ("stopTimeout", &mut Dice::number),
            ("restartPolicy", &mut |d| d.some(&mut [("enabled", &mut Dice::flag)])),
        ])
    }

    fn target_group(&mut self) -> Value {
        self.some(&mut [
            ("name", &mut Dice::text),
            ("protocol", &mut |d| d.one(&["HTTP", "TCP", "TLS"])),
            ("healthCheckIntervalSeconds", &mut Dice::number),
            ("healthCheckTimeoutSeconds", &mut Dice::number),
            ("deregistration_delay.timeout_seconds", &mut Dice::number),
            ("slow_start.duration_seconds", &mut Dice::number),
        ])
    }

    fn start(&mut self) -> Value {
        let mut deployment = |d: &mut Dice| {
            d.some(&mut [
                ("revision", &mut |d| Value::from(d.below(10))),
                ("rolloutState", &mut |d| d.one(&["COMPLETED", "IN_PROGRESS", "FAILED"])),
                ("healthy", &mut Dice::number),
                ("running", &mut Dice::number),
                ("stopping", &mut Dice::number),
                ("protected", &mut Dice::number),
            ])
        };
        self.some(&mut [("deployments", &mut |d| d.list(4, &mut deployment)), ("deploy", &mut Dice::flag)])
    }

    fn document(&mut self) -> Value {
        self.some(&mut [
            ("rollscope", &mut |_| 1.into()),
            ("title", &mut Dice::text),
            ("notes", &mut Dice::text),
            ("platform", &mut |d| d.one(&["ecs", "ecs", "mig"])),
            ("service", &mut Dice::service),
            ("containers", &mut |d| d.list(4, Dice::container)),
            ("targetGroups", &mut |d| d.list(3, Dice::target_group)),
            ("timing", &mut |d| {
                d.some(&mut [
                    ("provisioning", &mut Dice::distribution),
                    ("pull", &mut Dice::distribution),
                    ("start_up", &mut Dice::distribution),
                    ("exit_after_sigterm", &mut Dice::distribution),
                    ("healthy_after", &mut Dice::distribution),
                ])
            }),
            ("new", &mut Dice::revision),
            ("old", &mut Dice::revision),
            ("alarms", &mut |d| d.list(3, Dice::alarm)),
            ("schema", &mut |d| d.list(3, |d| d.some(&mut [("at", &mut Dice::span), ("version", &mut Dice::version)]))),
            ("fjall", &mut Dice::fjall),
            ("places", &mut |d| d.list(5, |d| d.some(&mut [("at", &mut Dice::span), ("places", &mut Dice::number)]))),
            ("start", &mut Dice::start),
            ("acts", &mut |d| d.list(9, Dice::act)),
            ("readings", &mut |d| {
                d.some(&mut [
                    ("allow_100_100", &mut Dice::flag),
                    ("new_target_passes", &mut |d| {
                        [Value::from(1), "one".into(), "threshold".into()][d.below(3)].clone()
                    }),
                    ("no_check_healthy_after_s", &mut Dice::number),
                    ("start_first", &mut Dice::flag),
                    ("alarm_delay_s", &mut Dice::number),
                    ("literal_stages", &mut Dice::flag),
                ])
            }),
            ("quotas", &mut |d| d.one(&["default", "none", "some"])),
            ("seed", &mut Dice::number),
            ("until", &mut Dice::span),
        ])
    }
}

#[test]
fn as_json_and_as_a_link() {
    let mut dice = Dice(1);
    let mut packed = 0;
    for _ in 0..600 {
        let tree = dice.document();
        let (document, problems) = Document::from_value(&tree);
        assert!(problems.iter().all(|p| !p.is_error()), "{tree}: {problems:?}");
        let again = Document::from_text(&document.to_json().pretty());
        assert_eq!(again.document, document, "{tree}");
        let link = Link {
            document,
            moment_ms: Some(7),
            step: None,
            selection: Some("8.1".into()),
            panel: None,
            group: Some("zone".into()),
            chart: Some("traffic".into()),
        };
        let text = encode(&link);
        let back = decode(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!((&back.link, back.problems.as_slice()), (&link, [].as_slice()), "{text}");
        assert_eq!(encode(&back.link), text, "canonical");
        packed += usize::from(text.contains("=~"));
    }
    assert!(packed > 30, "{packed} links with a packed list");
}

#[test]
fn every_problem_is_complete() {
    let mut dice = Dice(2);
    let mut seen = 0;
    for _ in 0..600 {
        let reading = Document::from_text(&dice.document().pretty());
        let problems = match reading.resolve() {
            Ok(resolved) => resolved.warnings,
            Err(problems) => {
                assert!(problems.iter().any(|p| p.is_error()));
                problems
            }
        };
        for problem in problems {
            seen += 1;
            assert!(!problem.given.is_empty() && !problem.allowed.is_empty(), "{problem:?}");
            assert!(problem.position.is_some(), "{problem:?}");
            assert!(problem.to_string().len() > 10);
            assert_eq!(problem.to_json().get("field").and_then(Value::as_str), Some(problem.field.as_str()));
        }
    }
    assert!(seen > 2_000, "{seen} problems");
}

/// A field with a suggestion has one problem less with it, or at least no problem of that kind there.
#[test]
fn suggestions_mend() {
    let mut dice = Dice(3);
    let mut mended = 0;
    for _ in 0..600 {
        let (document, _) = Document::from_value(&dice.document());
        let Err(problems) = document.resolve() else { continue };
        for problem in problems.iter().filter(|p| p.is_error()) {
            let Some(nearest) = problem.nearest.clone() else { continue };
            let (after, noticed) = document.with(&problem.field, nearest);
            assert!(noticed.iter().all(|p| !p.is_error()), "{problem:?}: {noticed:?}");
            let left = after.resolve().err().unwrap_or_default();
            assert!(!left.contains(problem), "{problem:?} is still there in {}", after.to_json());
            mended += 1;
        }
    }
    assert!(mended > 500, "{mended} suggestions");
}
