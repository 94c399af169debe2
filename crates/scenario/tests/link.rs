//! Links: round trips, cuts at every character, damage, golden links of every version.

use rollscope_scenario::link::{LinkError, decode, encode};
use rollscope_scenario::{Document, Link};

const DOCUMENTS: &[&str] = &[
    r#"{ "rollscope": 1 }"#,
    r#"{ "rollscope": 1, "service": { "desiredCount": 4, "deploymentConfiguration": { "minimumHealthyPercent": 100, "maximumPercent": 150 } } }"#,
    r#"{ "rollscope": 1, "title": "Überblick & more = 1 #2 'x' ~y 100 %", "notes": "true", "platform": "ecs",
         "service": { "serviceName": "42", "desiredCount": 0, "healthCheckGracePeriodSeconds": 90, "launchType": "FARGATE",
           "deploymentConfiguration": { "deploymentCircuitBreaker": { "enable": true, "rollback": false, "thresholdConfiguration": { "type": "COUNT", "value": 5 } },
             "alarms": { "alarmNames": [], "enable": false, "rollback": false }, "strategy": "LINEAR", "linearConfiguration": { "stepPercent": 12.5 } } },
         "containers": [ { "name": "app", "healthCheck": { "command": [ "CMD-SHELL", "curl -f http://localhost/ || exit 1" ], "interval": 10 } }, { "name": "side", "essential": false } ],
         "targetGroups": [ { "deregistration_delay.timeout_seconds": 5 }, {} ],
         "timing": { "pull": { "uniform": [ "5s", "20s" ] }, "start_up": { "table": [ [ "5s", 1 ], [ "1m30s", 9 ] ] }, "exit_after_sigterm": "never" },
         "new": { "revision": 9, "fate": { "in_zone": { "zone": 1, "fate": { "ratio": { "of": [ 1, 3 ], "fate": "hangs" } } } }, "by_start": { "1": "never_running", "7": { "exits_after": "30s" } } },
         "places": [ { "at": "0s", "places": 90 } ],
         "start": { "deployments": [ { "revision": 7, "rolloutState": "COMPLETED", "healthy": 4 } ], "deploy": true },
         "acts": [ { "at": "95s", "do": "kill", "task": "7·1" }, { "at": "2m", "do": "percent", "maximumPercent": 200 } ],
         "readings": { "new_target_passes": "threshold", "stopping_counts": false }, "quotas": "none", "seed": 77, "until": "2h" }"#,
    r#"{ "rollscope": 1, "service": { "desiredCount": 10, "deploymentConfiguration": { "minimumHealthyPercent": 50,
           "deploymentCircuitBreaker": { "enable": true, "rollback": true, "resetOnHealthyTask": false, "thresholdConfiguration": { "type": "COUNT", "value": 3 } },
           "alarms": { "alarmNames": [ "errors", "slow" ], "enable": true, "rollback": true }, "bakeTimeInMinutes": 10,
           "earlySuccessCriteria": { "enable": true, "healthyPercent": 80, "sourceServiceRevisionCleanup": "DEFERRED" } } },
         "new": { "bad_responses": [ 1, 20 ], "expects": 42, "digest_fails": false }, "old": { "expects": 41 },
         "alarms": [ { "name": "errors", "bad_responses_over": [ 1, 100 ], "for": "2m" }, { "name": "slow", "at_start": "OK", "changes": [ { "at": "5m", "state": "ALARM" } ] } ],
         "schema": [ { "at": "0s", "version": 41 }, { "at": "5m", "version": 42 } ],
         "fjall": { "circuitBreaker": { "threshold": 3 }, "alertsTopic": true, "alarms": false, "taskStopWatchdog": true, "schemaGate": true, "databases": [ "sql" ] },
         "acts": [ { "at": "10s", "do": "protect", "task": "7.1", "renewed": true }, { "at": "1m", "do": "alarm", "name": "slow", "state": "OK" } ],
         "readings": { "literal_stages": true, "watchdog_aligned": true, "alarm_delay_s": 0 } }"#,
    r#"{ "rollscope": 1, "service": { "desiredCount": 2 }, "fjall": { "circuitBreaker": false },
         "acts": [ { "at": "1m", "do": "stop_deployment" }, { "at": "2m", "do": "schema", "version": 7 } ] }"#,
];

fn link(text: &str) -> Link {
    let reading = Document::from_text(text);
    assert_eq!(reading.problems.iter().filter(|p| p.is_error()).count(), 0, "{:?}", reading.problems);
    Link {
        document: reading.document,
        moment_ms: Some(95_000),
        step: Some(4),
        selection: Some("8.3".into()),
        panel: Some("why".into()),
        group: None,
        chart: None,
    }
}

/// The same with another order of the stage.
fn by_instance(text: &str) -> Link {
    Link { group: Some("instance".into()), ..link(text) }
}

/// A document with a list of acts long enough to be packed.
fn many_acts() -> Link {
    let acts: Vec<String> = (1..=60).map(|i| format!(r#"{{ "at": "{i}m", "do": "kill", "task": "8·{i}" }}"#)).collect();
    link(&format!(r#"{{ "rollscope": 1, "service": {{ "desiredCount": 9 }}, "acts": [ {} ] }}"#, acts.join(", ")))
}

#[test]
fn every_document_comes_back() {
    for given in DOCUMENTS.iter().map(|text| link(text)).chain([many_acts(), by_instance(DOCUMENTS[0])]) {
        let text = encode(&given);
        let back = decode(&text).expect("its own link opens");
        assert_eq!(back.problems, [], "{text}");
        assert_eq!(back.link, given, "{text}");
        assert_eq!(encode(&back.link), text, "canonical");
        assert!(text.bytes().all(|b| b.is_ascii_graphic() && !b"\"<>\\^`{|}[]#".contains(&b)), "{text}");
    }
}

#[test]
fn long_lists_are_packed() {
    let text = encode(&many_acts());
    assert!(text.contains("acts=~"), "{text}");
    assert!(text.len() < 1_450, "{} characters", text.len());
}

#[test]
fn a_link_cut_anywhere_says_how_much_is_missing() {
    for text in DOCUMENTS.iter().map(|text| encode(&link(text))) {
        let head = text.find('&').expect("it has a head");
        for end in head + 1..text.len() {
            match decode(&text[..end]) {
                Err(LinkError::Cut { missing, .. }) => assert_eq!(missing, text.len() - end),
                other => panic!("cut at {end} of {text}: {other:?}"),
            }
        }
        let sum = text.match_indices('.').nth(1).expect("length and checksum").0;
        for end in 0..=head {
            match decode(&text[..end]) {
                // The length is whole: the rest can be counted, but for the `&`, which says nothing.
                Err(LinkError::Cut { missing, .. }) if end > sum && end < head => assert_eq!(missing, text.len() - end),
                other => assert!(other.is_err() && (end <= sum || end == head) || end == 2, "cut at {end} of {text}"),
            }
        }
    }
}

#[test]
fn a_changed_character_is_seen() {
    let text = encode(&link(DOCUMENTS[1]));
    let changed = text.replace("max=150", "max=151");
    assert_ne!(changed, text);
    let error = decode(&changed).expect_err("the checksum does not fit");
    assert!(matches!(error, LinkError::Damaged { .. }));
    let partial = error.partial().expect("it can be read all the same");
    assert_eq!(partial.link.document.service.deployment.maximum, Some(151));
}

#[test]
fn what_follows_the_end_is_left_out() {
    let text = encode(&link(DOCUMENTS[1]));
    for added in [".", ")", "&utm_source=chat"] {
        let back = decode(&format!("https://example.com/x/#{text}{added}")).expect("it opens");
        assert_eq!(back.link, link(DOCUMENTS[1]));
        assert_eq!(back.problems.len(), 1);
    }
}

/// Programs on the way may escape more, less or in small letters; that is no damage.
#[test]
fn other_percent_encoding_is_no_damage() {
    for given in DOCUMENTS.iter().map(|text| link(text)).chain([many_acts(), by_instance(DOCUMENTS[0])]) {
        let text = encode(&given);
        let more: String = text
            .chars()
            .map(|c| if "'()~!*".contains(c) { format!("%{:02x}", c as u32) } else { c.to_string() })
            .collect();
        let less = text.replace("%C3%9C", "Ü").replace("%20", " ");
        let small = text.replace("%2F", "%2f").replace("%C3%9C", "%c3%9c");
        for changed in [more, less, small] {
            let back = decode(&changed).unwrap_or_else(|error| panic!("{error}: {changed}"));
            assert_eq!((back.link, back.problems), (given.clone(), vec![]), "{changed}");
        }
    }
    assert!(decode("v1&title=%+4&notes=%4").is_ok_and(|back| back.problems.len() == 2), "no escapes");
}

#[test]
fn another_version_of_the_document_is_kept_and_refused() {
    let given = link(r#"{ "rollscope": 2, "service": { "desiredCount": 1 } }"#);
    assert_eq!(decode(&encode(&given)).map(|back| back.link), Ok(given.clone()));
    let problems = given.document.resolve().expect_err("only version 1 is read");
    assert!(problems.iter().any(|p| p.field == "/rollscope" && p.nearest == Some(1.into())));
}

#[test]
fn written_by_hand() {
    let back =
        decode("#v1&desired=4&max=150&new.fate=never_passes&tg.0.healthCheckIntervalSeconds=10").expect("it opens");
    assert_eq!(back.problems, []);
    assert_eq!(back.link.document.service.desired_count, Some(4));
    assert_eq!(back.link.document.target_groups.as_ref().map(Vec::len), Some(1));
    let plain = decode("v1&title=2026&notes=true&s.serviceName=1.50&acts.0.task=8.10").expect("it opens");
    assert_eq!(plain.problems, []);
    let document = &plain.link.document;
    assert_eq!((document.title.as_deref(), document.notes.as_deref()), (Some("2026"), Some("true")));
    assert_eq!(document.service.service_name.as_deref(), Some("1.50"));
    let task = document.acts.as_ref().and_then(|acts| acts[0].task).expect("a task");
    assert_eq!((task.revision, task.start), (8, 10));
    let strange = decode("v1&desired=4&colour=red&x&tg.5.name=a&max=%zz").expect("it opens all the same");
    assert_eq!(strange.problems.len(), 4, "{:?}", strange.problems);
    assert_eq!(strange.link.document.service.desired_count, Some(4));
}

/// Every link of the documentation opens; those with a placeholder are no links.
#[test]
fn links_of_the_documentation_open() {
    let text = include_str!("../../../docs/link.md");
    let links: Vec<&str> = text.lines().filter(|line| line.starts_with("#v1") && !line.contains('<')).collect();
    assert_eq!(links.len(), 6);
    for line in links {
        let written = line.split("  ").next().unwrap_or_default();
        let back = decode(written).expect(written);
        assert_eq!(back.problems, [], "{written}");
        assert!(back.link.document.resolve().is_ok(), "{written}");
    }
}

#[test]
fn not_ours() {
    assert_eq!(decode("#"), Err(LinkError::Empty));
    assert_eq!(decode("hello"), Err(LinkError::NotALink));
    assert_eq!(decode("v2&x=1"), Err(LinkError::UnknownVersion { found: "v2".into() }));
    assert!(matches!(decode(&format!("v1&notes={}", "a".repeat(40_000))), Err(LinkError::TooLong { .. })));
}

#[test]
fn golden_links_still_open() {
    let golden = include_str!("golden_links.txt");
    let mut seen = 0;
    for line in golden.lines().filter(|line| !line.is_empty()) {
        let (text, json) = line.split_once(' ').expect("a link and its document");
        let back = decode(text).expect("a released link opens for good");
        assert_eq!(back.link.document.to_json().to_string(), json, "{text}");
        seen += 1;
    }
    assert!(seen >= 4);
}

/// Prints the golden lines of this version; kept so that the fixture can be extended, never changed.
#[test]
fn golden_lines_are_canonical() {
    let golden = include_str!("golden_links.txt");
    for given in DOCUMENTS.iter().map(|text| link(text)).chain([many_acts(), by_instance(DOCUMENTS[0])]) {
        let line = format!("{} {}", encode(&given), given.document.to_json());
        assert!(golden.contains(&line), "missing in golden_links.txt:\n{line}");
    }
}

#[test]
fn a_dot_inside_a_key_may_stand_as_it_is() {
    let keys = [("deregistration_delay.timeout_seconds", 60), ("slow_start.duration_seconds", 30)];
    for beginning in ["tg", "targetGroups"] {
        let plain: Vec<String> = keys.iter().map(|(key, value)| format!("{beginning}.0.{key}={value}")).collect();
        let decoded = decode(&format!("v1&desired=4&{}", plain.join("&"))).expect("it opens");
        assert_eq!(decoded.problems, []);
        let group = &decoded.link.document.to_json();
        for (key, value) in keys {
            let given = group.pointer(&format!("/targetGroups/0/{key}")).and_then(|value| value.as_i64());
            assert_eq!(given, Some(value), "{key}");
        }
        // Our own links keep the escape, so that they stay the same.
        let written = encode(&decoded.link);
        assert!(
            written.ends_with("&tg.0.deregistration_delay%2Etimeout_seconds=60&tg.0.slow_start%2Eduration_seconds=30"),
            "{written}"
        );
    }
    // Anything else with a dot is still a path.
    let other = decode("v1&desired=4&tg.0.deregistration_delay.timeout=60").expect("it opens");
    assert_eq!(other.problems.len(), 1);
}

/// Thousands of mutated links: nothing panics, and what opens can be encoded again.
#[test]
fn nothing_panics() {
    let seeds: Vec<String> = DOCUMENTS.iter().map(|text| encode(&link(text))).chain([encode(&many_acts())]).collect();
    let mut state = 1u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let alphabet: Vec<char> = "v1.&=~'%0123456789abcdefXYZ.-_[]{}é·".chars().collect();
    for _ in 0..8_000 {
        let mut text: Vec<char> = seeds[next(seeds.len())].chars().collect();
        // Without its checksum the body is read whatever it holds.
        if next(2) == 0 {
            let head = text.iter().position(|c| *c == '&').unwrap_or(0);
            text.splice(..head, "v1".chars());
        }
        for _ in 0..=next(6) {
            let at = next(text.len());
            match next(3) {
                0 => text[at] = alphabet[next(alphabet.len())],
                1 => text.insert(at, alphabet[next(alphabet.len())]),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(back) = decode(&text) {
            let again = decode(&encode(&back.link)).expect("what was read can be written");
            assert_eq!(again.link.document, back.link.document, "{text}");
        }
    }
}
