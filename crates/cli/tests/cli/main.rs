//! The program from outside: what it prints and how it ends.

mod summaries;

use std::io::Write;
use std::process::{Command, Stdio};

use rollscope_scenario::{Value, json};

/// What a call gave.
struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Said {
    fn json(&self) -> Value {
        match json::read(&self.out) {
            Ok(parsed) => parsed.value,
            Err(fault) => panic!("not JSON: {fault:?}\n{}", self.out),
        }
    }

    fn word(&self, pointer: &str) -> String {
        let value = self.json();
        let found = value.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is missing in {}", self.out));
        found.as_str().map_or_else(|| found.to_string(), String::from)
    }
}

fn rollscope(arguments: &[&str], input: &str) -> Said {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rollscope"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that does not read its input closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Said { code: output.status.code().expect("no signal"), out: text(output.stdout), err: text(output.stderr) }
}

fn service(desired: u32, minimum: u32, maximum: u32) -> String {
    format!(
        r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration":
            {{"minimumHealthyPercent": {minimum}, "maximumPercent": {maximum}}}}}, "quotas": "none",
            "timing": {{"healthy_after": "45s", "gone_after": "30s"}}}}"#
    )
}

const ROLLED_BACK: &str = r#"{"service": {"desiredCount": 3, "deploymentConfiguration":
    {"deploymentCircuitBreaker": {"enable": true, "rollback": true}}}, "quotas": "none", "new": {"fate": "never_running"}}"#;

const DESCRIBE: &str = r#"{"services": [{
    "serviceName": "web", "desiredCount": 4, "launchType": "FARGATE",
    "deploymentConfiguration": {"minimumHealthyPercent": 100, "maximumPercent": 150,
        "deploymentCircuitBreaker": {"enable": false, "rollback": false}},
    "deployments": [{"id": "ecs-svc/1", "status": "PRIMARY", "rolloutState": "COMPLETED",
        "taskDefinition": "arn:aws:ecs:eu-west-1:1:task-definition/web:7",
        "desiredCount": 4, "runningCount": 4, "pendingCount": 0, "failedTasks": 0}]
}], "failures": []}"#;

#[test]
fn a_run_for_people() {
    let said = rollscope(&["run", "-"], &service(4, 100, 150));
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    for expected in [
        "Verdict             It can move\n",
        "First step: start 2, stop 0. Two at a time, at full strength, about 3 minutes.\n",
        "Floor               4 × 100 % = 4, floor 4\n",
        "Ceiling             4 × 150 % = 6, ceiling 6\n",
        "First step          start 2, stop 0 (limit: the ceiling)\n",
        "Outcome             Done after 2 minutes 30 seconds.\n",
        "Most at once        6 (ceiling 6)\n",
        "At the end          4 tasks (r8: 4 healthy)\n",
    ] {
        assert!(said.out.contains(expected), "{expected} is missing in\n{}", said.out);
    }
    let story = rollscope(&["run", "-", "--events"], &service(4, 100, 150)).out;
    assert!(story.contains("0:45  7·1 and 1 more are picked to stop: 6 are healthy, the floor is 4.\n"), "{story}");
}

#[test]
fn a_run_for_pipelines() {
    let said = rollscope(&["run", "-", "--json"], &service(4, 100, 150));
    assert_eq!(said.code, 0);
    for (pointer, expected) in [
        ("/accepted", "true"),
        ("/verdict", "can_move"),
        ("/outcome", "completed"),
        ("/floor", "4"),
        ("/ceiling", "6"),
        ("/first_step/started", "2"),
        ("/first_step_limited_by", "ceiling"),
        ("/completed_at_ms", "150000"),
        ("/waves", "2"),
        ("/peak_tasks", "6"),
        ("/task_ms_extra", "300000"),
        ("/both_versions_ms", "75000"),
        ("/now/by_revision/8/healthy", "4"),
        ("/deployments/0/rolloutState", "COMPLETED"),
        ("/readings/new_target_passes", "1"),
        ("/source/format", "scenario document"),
    ] {
        assert_eq!(said.word(pointer), expected, "{pointer}");
    }
    let events = rollscope(&["run", "-", "--json", "--events"], &service(4, 100, 150));
    assert_eq!(events.word("/tasks/4/created"), "0");
    assert_eq!(events.word("/decisions/1/rule"), "target_start");
    assert_eq!(events.word("/events/0/message"), "(service web) has started 2 tasks: (task 8·1) (task 8·2).");
}

#[test]
fn exit_codes_tell_how_it_ends() {
    let stuck = service(3, 100, 125);
    assert_eq!(rollscope(&["check", "-"], &stuck).code, 1);
    let run = rollscope(&["run", "-", "--json"], &stuck);
    assert_eq!((run.code, run.word("/outcome"), run.word("/blocked_by")), (1, "stuck".into(), "configuration".into()));
    let said = rollscope(&["check", "-"], &stuck).out;
    assert!(said.contains("3 × 125 % = 3.75, down to ceiling 3") && said.contains("Maximum 134 %"), "{said}");
    assert_eq!(rollscope(&["check", "-"], &service(4, 50, 100)).code, 0);
    let cut = rollscope(&["run", "-", "--json", "--until", "1m"], &service(4, 100, 150));
    assert_eq!((cut.code, cut.word("/outcome"), cut.word("/cut_off_by")), (1, "in_progress".into(), "until".into()));
}

#[test]
fn refused_settings_give_every_problem_with_its_place() {
    let text = "{\n  \"service\": {\n    \"desiredCount\": -2,\n    \"deploymentConfiguration\": {\n      \
                \"minimumHealthyPercent\": 101,\n      \"maximumPercent\": 99\n    }\n  }\n}";
    let said = rollscope(&["run", "-", "--json"], text);
    assert_eq!((said.code, said.word("/accepted"), said.word("/outcome")), (2, "false".into(), "refused".into()));
    let lines: Vec<String> = (0..3).map(|i| said.word(&format!("/problems/{i}/line"))).collect();
    assert_eq!(lines, ["3", "5", "6"]);
    let human = rollscope(&["check", "-"], text);
    assert_eq!((human.code, human.out.as_str(), human.err.lines().count()), (2, "", 3));
    assert!(human.err.contains("line 5"), "{}", human.err);
    assert_eq!(rollscope(&["check", "-", "--json"], &service(4, 100, 100)).word("/verdict"), "not_accepted");
}

#[test]
fn bad_input_is_named() {
    for (text, place) in [("{\"service\": {\n  \"desiredCount\": }", "line 2"), ("", ""), ("hello there", "line 1")] {
        let said = rollscope(&["run", "-"], text);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{text}");
        assert!(said.err.starts_with("error: ") && said.err.contains(place), "{text}: {}", said.err);
        let json = rollscope(&["run", "-", "--json"], text);
        assert_eq!((json.code, json.word("/accepted")), (2, "false".into()));
    }
    let missing = rollscope(&["check", "no-such-file.json"], "");
    assert!(missing.code == 2 && missing.err.contains("a file that exists"), "{}", missing.err);
}

#[test]
fn questions_that_are_not_understood() {
    let said = rollscope(&["walk", "x"], "");
    assert!(said.code == 2 && said.err.contains("check, run, link, import, export or show"), "{}", said.err);
    let json = rollscope(&["run", "--json", "--fast", "x"], "");
    assert_eq!((json.code, json.word("/problems/0/given")), (2, "--fast".into()));
    let help = rollscope(&["--help"], "");
    assert!(help.code == 0 && help.out.contains("Usage: rollscope"));
    let version = rollscope(&["--version"], "");
    assert_eq!((version.code, version.out.trim()), (0, concat!("rollscope ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_link_and_back() {
    let document = service(4, 100, 150);
    let link = rollscope(&["link", "-"], &document);
    assert!(link.code == 0 && link.out.starts_with("#v1."), "{}", link.out);
    let link = link.out.trim();
    let shown = rollscope(&["show", link], "");
    assert_eq!(shown.word("/service/deploymentConfiguration/maximumPercent"), "150");
    let again = rollscope(&["link", "-"], &shown.out);
    assert_eq!(again.out.trim(), link);
    let direct = rollscope(&["run", &format!("https://example.org/rollscope/{link}"), "--json"], "");
    assert_eq!(
        direct.out.replace("\"link\"", "\"scenario document\""),
        rollscope(&["run", "-", "--json"], &document).out
    );
    assert_eq!(rollscope(&["run", "#v1&desired=4&min=100&max=150", "--json"], "").word("/ceiling"), "6");
}

#[test]
fn a_cut_link_says_so_and_shows_what_can_be_read() {
    let link = rollscope(&["link", "-"], &service(4, 100, 150)).out;
    let cut = &link.trim()[..link.trim().len() - 5];
    let said = rollscope(&["show", cut, "--json"], "");
    assert_eq!((said.code, said.word("/document/service/desiredCount")), (2, "4".into()));
    assert!(said.word("/problems/0/allowed").contains("5 characters are missing"));
    let run = rollscope(&["run", cut], "");
    assert!(run.code == 2 && run.err.contains("5 characters are missing"), "{}", run.err);
}

#[test]
fn the_seed_shifts_the_draws() {
    let text = r#"{"service": {"desiredCount": 4}, "timing": {"pull": {"uniform": ["5s", "90s"]}}}"#;
    let done = |seed: &str| rollscope(&["run", "-", "--json", "--seed", seed], text).word("/completed_at_ms");
    assert_eq!(done("1"), rollscope(&["run", "-", "--json"], text).word("/completed_at_ms"), "1 is the default");
    assert_eq!(done("5"), done("5"));
    assert!(["2", "3", "4"].iter().any(|seed| done(seed) != done("1")));
}

#[test]
fn the_answer_of_describe_services_runs() {
    let said = rollscope(&["check", "-", "--json"], DESCRIBE);
    assert_eq!(said.word("/source/format"), "aws ecs describe-services (JSON)", "{}", said.err);
    assert_eq!((said.word("/floor"), said.word("/ceiling")), ("4".into(), "6".into()));
    let two = DESCRIBE.replace(
        r#""services": ["#,
        r#""services": [{"serviceName": "api", "desiredCount": 2,
        "deploymentConfiguration": {"minimumHealthyPercent": 50, "maximumPercent": 200}}, "#,
    );
    let which = rollscope(&["check", "-"], &two);
    assert!(which.code == 2 && which.err.contains("--service NAME: api, web"), "{}", which.err);
    assert_eq!(rollscope(&["check", "-", "--json", "--service", "api"], &two).word("/ceiling"), "4");
    assert_eq!(rollscope(&["check", "-", "--service", "none"], &two).code, 2);
}

#[test]
fn files_are_read() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenario.json");
    std::fs::write(&path, format!("\u{feff}{}", service(4, 100, 200))).expect("the folder can be written");
    let said = rollscope(&["run", path.to_str().expect("a plain path"), "--json"], "");
    assert_eq!((said.code, said.word("/completed_at_ms")), (0, "75000".into()));
}

#[test]
fn the_examples_of_the_guide_are_true() {
    let guide = include_str!("../../../../docs/command-line.md");
    let mut tried = 0;
    for block in guide.split("```console\n").skip(1) {
        let (command, expected) =
            block.split_once("```").expect("the block ends").0.split_once('\n').expect("a command");
        let words = command.strip_prefix("$ rollscope ").expect("a call of the program");
        let words: Vec<&str> = words.split(' ').map(|word| word.trim_matches('\'')).collect();
        let said = rollscope(&words, "");
        assert!(said.out.starts_with(expected), "{command} says now\n{}", said.out);
        tried += 1;
    }
    assert_eq!(tried, 2);
}

#[test]
fn a_rollback_for_people_and_for_pipelines() {
    let said = rollscope(&["run", "-"], ROLLED_BACK);
    assert_eq!((said.code, said.err.as_str()), (1, ""), "it did not end well");
    for expected in [
        "Verdict             It will fail and roll back\n",
        "Circuit breaker     3 failures trip it\n",
        "Goes back to        r7, COMPLETED\n",
        "Outcome             r8 failed at 0:15. Back on r7 after 15 seconds.\n",
        "Counted             3 failures (threshold 3)\n",
        "Rollback protects   ends at 0:15: the rollback has begun\n",
        "Pipelines           the waiter: green at 0:15, though r7 is PRIMARY and not r8\n",
        "                    SERVICE_DEPLOYMENT_FAILED: red at 0:15\n",
    ] {
        assert!(said.out.contains(expected), "{expected}{}", said.out);
    }
    let rows = rollscope(&["run", "-", "--json", "--at", "10s"], ROLLED_BACK);
    assert_eq!(rows.code, 1);
    assert_eq!(rows.word("/outcome"), "rolled_back");
    assert_eq!(rows.word("/threshold"), "3");
    assert_eq!(rows.word("/service_deployments/0/status"), "ROLLBACK_SUCCESSFUL");
    assert_eq!(rows.word("/api_at/DescribeServices/services/0/pendingCount"), "3");
    assert_eq!(rows.word("/api_at/DescribeServiceDeployments/serviceDeployments/0/status"), "IN_PROGRESS");
    let check = rollscope(&["check", "-", "--json"], ROLLED_BACK);
    assert_eq!(
        (check.code, check.word("/threshold"), check.word("/rollback_candidate/revision")),
        (0, "3".into(), "7".into())
    );
    let all_green = rollscope(
        &["run", "-"],
        r#"{"service": {"desiredCount": 2}, "new": {"fate": {"exits_after": "60s"}}, "until": "1h"}"#,
    );
    assert!(
        all_green.out.contains("the waiter: green at 1:00, though 96 tasks of it fail after that\n"),
        "{}",
        all_green.out
    );
}

#[test]
fn the_rows_of_the_guide_are_there() {
    let guide = include_str!("../../../../docs/command-line.md");
    let table = guide.split_once("## JSON").expect("the chapter").1;
    let said = rollscope(&["run", "-", "--json", "--events"], &service(4, 100, 150)).json();
    for (row, _) in said.as_object().expect("an object") {
        assert!(
            table.contains(&format!("`{row}`"))
                || table.contains(&format!("`{row}[]`"))
                || table.contains(&format!("`{row}{{")),
            "{row} is not in the guide"
        );
    }
}

/// A sample configuration of the importers.
fn sample(name: &str) -> String {
    format!("{}/../import/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn each_form_of_a_service_is_checked_run_and_imported() {
    for (file, format, field, told) in [
        (
            "04-cloudformation-yaml-fargate/input.yaml",
            "CloudFormation",
            "maximumPercent",
            "150  default of a parameter, line 71",
        ),
        ("08-cdk-synth-fargate/input.json", "CloudFormation", "desiredCount", "1  default"),
        ("06-terraform-service-vars/input.tf", "Terraform", "minimumHealthyPercent", "60  given, line 24"),
        ("02-create-service-cli-shorthand/input.sh", "create-service", "breaker.rollback", "true  given, line 9"),
    ] {
        let path = sample(file);
        let said = rollscope(&["import", &path], "");
        assert_eq!((said.code, said.err.contains("error")), (0, false), "{}", said.err);
        assert!(said.out.lines().next().is_some_and(|line| line.contains(format)), "{}", said.out);
        let squeezed: Vec<String> =
            said.out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed.iter().any(|line| line.contains(&format!("{field} {told}"))), "{}", said.out);
        assert!(rollscope(&["check", &path], "").code < 2 && rollscope(&["run", &path], "").code < 2, "{file}");
        let json = rollscope(&["import", &path, "--json"], "");
        assert_eq!(json.word("/accepted"), "true");
        assert!(json.word("/document/service/desiredCount").parse::<u32>().is_ok());
    }
}

#[test]
fn what_a_text_cannot_say_is_named_and_several_services_are_chosen_from() {
    let update = rollscope(&["check", &sample("03-update-service-alarms-count/input.sh")], "");
    assert_eq!(update.code, 2);
    assert!(update.err.contains("/service/desiredCount") || update.err.contains("desiredCount"), "{}", update.err);
    let path = sample("13-compose-update-config/input.yml");
    let open = rollscope(&["import", &path], "");
    assert!(open.code == 2 && open.err.contains("--service NAME: api, cache, migrate"), "{}", open.err);
    let chosen = rollscope(&["import", &path, "--service", "api"], "");
    assert!(chosen.code == 2 && chosen.err.contains("not run"), "{}", chosen.err);
    assert!(chosen.out.contains("follows from the others"), "{}", chosen.out);
    let other = rollscope(&["import", &path, "--from", "nomad"], "");
    assert!(other.code == 2 && other.err.contains("line "), "{}", other.err);
}

#[test]
fn settings_go_out_as_text_for_other_tools() {
    let template = sample("04-cloudformation-yaml-fargate/input.yaml");
    let said = rollscope(&["export", &template, "--to", "terraform"], "");
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.starts_with("resource \"aws_ecs_service\" \"catalog-dev\" {\n"), "{}", said.out);
    // What was written comes in again, and is what it was.
    let back = rollscope(&["export", "-", "--to", "cloudformation", "--base", &template], &said.out);
    assert_eq!((back.code, back.out.as_str()), (0, ""), "{}", back.err);
    assert!(back.err.contains("Nothing differs"), "{}", back.err);
    let changed = "#v1&desired=4&min=50&max=150";
    let change =
        rollscope(&["export", changed, "--to", "cli", "--base", "#v1&desired=4&min=100&max=150", "--json"], "");
    assert!(change.word("/text").ends_with("--deployment-configuration minimumHealthyPercent=50\n"), "{}", change.out);
    assert_eq!((change.word("/notes/0/kind"), change.word("/notes/0/of")), ("blank".into(), "CLUSTER".into()));
}

#[test]
fn a_form_that_a_platform_does_not_have_is_refused_with_those_it_has() {
    let template = sample("04-cloudformation-yaml-fargate/input.yaml");
    let manifest = sample("15-kubectl-get-deployment-yaml/input.yaml");
    for (arguments, told) in [
        (vec!["export", &template, "--to", "kubernetes"], "cli, cloudformation, terraform"),
        (vec!["export", &manifest, "--to", "cli"], "one of kubernetes"),
        (vec!["export", &template], "cli, cloudformation, terraform"),
        (vec!["export", &template, "--to", "cli", "--base", &manifest], "same platform"),
        (vec!["export", &template, "--to", "cli", "--base", "no-such-file"], "a file that exists"),
    ] {
        let said = rollscope(&arguments, "");
        assert!(said.code == 2 && said.out.is_empty() && said.err.contains(told), "{arguments:?}: {}", said.err);
    }
}

#[test]
fn a_check_is_laid_out_for_a_pipeline() {
    let stuck = "#v1&desired=1&min=100&max=150";
    let github = rollscope(&["check", stuck, "--format", "github"], "");
    assert_eq!(github.code, 1, "{}", github.err);
    let line = github.out.lines().next().unwrap_or_default();
    assert!(line.starts_with("::error file=#v1&desired=1&min=100&max=150,title=rollscope cannot_move::"), "{line}");
    assert!(
        line.ends_with("It cannot move: Room to start is 1 minus 1, spare to stop is 1 minus 1: both are 0."),
        "{line}"
    );
    let refused = "{\"service\":{\"desiredCount\":4,\n\"deploymentConfiguration\":{\"maximumPercent\":100}}}";
    let refused = rollscope(&["check", "-", "--format", "github"], refused);
    assert_eq!(refused.code, 2);
    assert!(refused.out.starts_with("::error file=stdin,line=2,col="), "{}", refused.out);
    let sarif = rollscope(&["check", stuck, "--format", "sarif"], "");
    assert_eq!((sarif.code, sarif.word("/version")), (1, "2.1.0".into()));
    assert_eq!(sarif.word("/runs/0/results/0/ruleId"), "cannot_move");
    assert_eq!(sarif.word("/runs/0/tool/driver/rules/0/id"), "cannot_move");
    let fine = rollscope(&["check", "#v1&desired=4&min=100&max=150", "--format", "sarif"], "");
    assert_eq!((fine.code, fine.word("/runs/0/results/0/level")), (0, "note".into()));
    let json = rollscope(&["check", stuck, "--format", "json"], "");
    assert_eq!(json.out, rollscope(&["check", stuck, "--json"], "").out);
}
