//! Services in the forms that people keep: templates, configurations, command lines; each with what a correct reading
//! of it gives.

use rollscope_import::{Format, Import, Origin, import, import_as};
use rollscope_scenario::json::{self, Value};
use rollscope_scenario::limits::{Limits, Threshold, threshold};

macro_rules! fixture {
    ($name:literal, $file:literal) => {
        (
            include_str!(concat!("fixtures/", $name, "/", $file)),
            include_str!(concat!("fixtures/", $name, "/expected.json")),
        )
    };
}

const CREATE: (&str, &str) = fixture!("02-create-service-cli-shorthand", "input.sh");
const UPDATE: (&str, &str) = fixture!("03-update-service-alarms-count", "input.sh");
const TEMPLATE: (&str, &str) = fixture!("04-cloudformation-yaml-fargate", "input.yaml");
const BARE: (&str, &str) = fixture!("05-cloudformation-json-ec2-defaults", "input.json");
const TERRAFORM: (&str, &str) = fixture!("06-terraform-service-vars", "input.tf");
const REPORTS: (&str, &str) = fixture!("07-terraform-missing-desired-count", "input.tf");
const CDK: (&str, &str) = fixture!("08-cdk-synth-fargate", "input.json");
const COMPOSE: (&str, &str) = fixture!("13-compose-update-config", "input.yml");
const NOMAD: (&str, &str) = fixture!("14-nomad-job-hcl", "input.nomad.hcl");

/// Every value of the expected reading stands in the import with its origin, and with a line where it is written.
fn compare(import: &Import, expected: &str, index: usize) -> Value {
    let expected = json::read(expected).expect("the fixture is JSON").value;
    let workload = expected.pointer(&format!("/workloads/{index}")).expect("a workload").clone();
    assert_eq!(import.name.as_deref(), workload.get("name").and_then(Value::as_str));
    for (field, wanted) in workload.get("values").and_then(Value::as_object).expect("values") {
        let row = import.value(field).unwrap_or_else(|| panic!("{field} was not read"));
        assert_eq!(Some(&row.value), wanted.get("value"), "{field}");
        assert_eq!(Some(row.origin.name()), wanted.get("origin").and_then(Value::as_str), "{field}");
        assert!(row.origin != Origin::Explicit || row.line.is_some(), "{field} has a line");
    }
    workload
}

fn title(workload: &Value) -> Option<&str> {
    workload.get("displayName").or(workload.get("name")).and_then(Value::as_str)
}

/// The numbers that follow, as the engine has them.
fn numbers(import: &Import, workload: &Value) {
    let document = import.document.as_ref().expect("a scenario");
    assert_eq!(document.title.as_deref(), title(workload));
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{problems:?}"));
    let number = |name: &str| workload.pointer(&format!("/computed/{name}")).and_then(Value::as_u64).map(|n| n as u32);
    let Limits { desired, floor, ceiling } = resolved.limits;
    assert_eq!((Some(floor), Some(ceiling)), (number("floor"), number("ceiling")));
    if let Some(failures) = number("breakerThreshold") {
        assert_eq!(threshold(Threshold::BoundedPercent(50), desired), failures);
    }
    let group = resolved.settings.target_groups.first();
    if let Some(seconds) = number("targetGroupSecondsToRecover") {
        let group = group.expect("a target group");
        let of = |count: u32| (group.interval_ms / 1_000) as u32 * count;
        assert_eq!((Some(of(1)), of(group.healthy_threshold)), (number("targetGroupSecondsToFirstHealthy"), seconds));
        assert!(number("targetGroupSecondsToUnhealthy").is_none_or(|seconds| seconds == of(group.unhealthy_threshold)));
    }
}

fn says(list: &[String], words: &str) {
    assert!(list.iter().any(|text| text.contains(words)), "{words}: {list:?}");
}

#[test]
fn a_template_with_parameters_and_conditions() {
    let read = import(TEMPLATE.0, None);
    assert_eq!((read.format, read.problems.as_slice()), (Format::CloudFormation, [].as_slice()));
    let workload = compare(&read, TEMPLATE.1, 0);
    numbers(&read, &workload);
    assert_eq!(read.value("maximumPercent").and_then(|row| row.line), Some(71));
    assert_eq!(read.value("targetGroup.deregistrationDelaySeconds").and_then(|row| row.line), Some(33));
    says(&read.needs, "StageName, DesiredCount of the real run");
    says(&read.warnings, "With the defaults of the parameters the breaker fails a deployment and does not roll back");
    says(&read.warnings, "needs both checks");
    says(&read.ignored, "/Resources/Service/Properties/NetworkConfiguration");
    // With another default the other branch.
    let prod = import(&TEMPLATE.0.replace("Default: dev", "Default: prod"), None);
    let limits = prod.document.expect("a scenario").resolve().expect("it can run").limits;
    assert_eq!(
        Some(limits.ceiling),
        workload.pointer("/computed/alternative/ceiling").and_then(Value::as_u64).map(|n| n as u32)
    );
    assert_eq!(
        prod.values.iter().find(|row| row.field == "breaker.rollback").map(|row| &row.value),
        Some(&Value::from(true))
    );
}

#[test]
fn a_template_of_defaults() {
    let read = import(BARE.0, None);
    assert_eq!((read.format, read.problems.as_slice()), (Format::CloudFormation, [].as_slice()));
    let workload = compare(&read, BARE.1, 0);
    numbers(&read, &workload);
    assert_eq!(read.value("launchType"), None, "FARGATE is not assumed");
    says(&read.needs, "1 is only the default for a new one");
    says(&read.needs, "container health check");
    says(&read.warnings, "No breaker and no alarms");
    says(&read.warnings, "healthy after 40 s in RUNNING");
}

#[test]
fn what_cdk_writes() {
    let read = import(CDK.0, None);
    assert_eq!(
        (read.format, read.problems.as_slice(), read.choices.as_slice()),
        (Format::CloudFormation, [].as_slice(), [].as_slice())
    );
    let workload = compare(&read, CDK.1, 0);
    numbers(&read, &workload);
    for case in workload.pointer("/computed/forDesiredCount").and_then(Value::as_array).expect("cases") {
        let number = |key: &str| case.get(key).and_then(Value::as_u64).expect(key) as u32;
        let limits = Limits::of(number("desired"), 50, 200);
        assert_eq!((limits.floor, limits.ceiling), (number("floor"), number("ceiling")));
    }
    says(&read.warnings, "50 is the default minimum of CDK");
    says(&read.warnings, "5 × 30 s, so a target that was unhealthy needs 150 s to recover, and 300 s");
}

#[test]
fn a_terraform_service_with_variables() {
    let read = import(TERRAFORM.0, None);
    assert_eq!((read.format, read.problems.as_slice()), (Format::Terraform, [].as_slice()));
    let workload = compare(&read, TERRAFORM.1, 0);
    numbers(&read, &workload);
    says(&read.needs, "changes to it are ignored");
    says(&read.needs, "target group check");
    says(&read.needs, "container health check");
    says(&read.needs, "desired_count, alarm_prefix of the real run");
    says(&read.warnings, "An alarm fails the deployment without rolling back, the breaker fails it with rollback");
    says(&read.warnings, "wait_for_steady_state");
    let alarms = read.document.expect("a scenario").service.deployment.alarms.and_then(|alarms| alarms.names);
    assert_eq!(alarms.expect("both").len(), 2, "one whose name is not known is an alarm all the same");
    // Values of a tfvars text are given.
    let set = import(&format!("{}\ndesired_count = 9\n", TERRAFORM.0), None);
    let row = set.value("desiredCount").expect("a row");
    assert_eq!((row.value.as_i64(), row.origin), (Some(9), Origin::Explicit));
}

#[test]
fn terraform_has_a_default_of_its_own() {
    let read = import(REPORTS.0, None);
    assert_eq!(read.problems, []);
    let workload = compare(&read, REPORTS.1, 0);
    numbers(&read, &workload);
    says(&read.needs, "the real desired count");
    says(&read.warnings, "desired_count is 0");
    says(&read.warnings, "unhealthy after 40 s");
}

#[test]
fn terraform_with_its_task_definition_and_what_is_not_known() {
    let text = r#"
variable "task_count" {}
resource "aws_ecs_task_definition" "api" {
  family                   = "api"
  requires_compatibilities = ["FARGATE"]
  cpu                      = 256
  container_definitions = jsonencode([{
    name        = "api"
    essential   = true
    stopTimeout = 60
    healthCheck = { command = ["CMD", "true"], interval = 7 }
  }])
}
resource "aws_ecs_service" "api" {
  name            = "api"
  task_definition = aws_ecs_task_definition.api.arn
  desired_count   = var.task_count
  deployment_maximum_percent = var.on ? 150 : 200
  dynamic "deployment_circuit_breaker" {
    for_each = var.breaker
    content {
      enable = true
    }
  }
}
resource "aws_cloudwatch_log_group" "api" {}
"#;
    let read = import(text, None);
    for (field, words) in [
        ("desiredCount", "var.task_count"),
        ("maximumPercent", "var.on ? 150 : 200"),
        ("breaker.enable", "dynamic \"deployment_circuit_breaker\""),
    ] {
        let row = read.value(field).expect(field);
        assert_eq!((row.origin, row.value.is_null(), row.line.is_some()), (Origin::Unresolved, true, true), "{field}");
        says(&read.needs, &format!("{field}, which {words} stands for"));
    }
    let interval = read.value("container.api.healthCheck.interval").expect("a row");
    assert_eq!((interval.value.as_i64(), interval.line), (Some(7), Some(11)));
    assert_eq!(read.ignored, ["aws_cloudwatch_log_group.api"]);
    let document = read.document.expect("a scenario");
    assert_eq!(
        (document.service.desired_count, document.service.deployment.maximum),
        (None, None),
        "nothing is guessed"
    );
    let heredoc = text.replace("jsonencode([{", "<<EOF\n[{").replace("}])", "}]\nEOF").replace(" = ", ": ");
    assert!(import(&heredoc, None).problems.len() + import(&heredoc, None).values.len() > 0);
}

#[test]
fn a_command_that_creates() {
    let read = import(CREATE.0, None);
    assert_eq!((read.format, read.problems.as_slice()), (Format::CommandLine, [].as_slice()));
    let workload = compare(&read, CREATE.1, 0);
    numbers(&read, &workload);
    assert_eq!(read.value("maximumPercent").and_then(|row| row.line), Some(9));
    says(&read.warnings, "no completed one to roll back to");
    says(&read.ignored, "--region");
}

#[test]
fn a_command_that_updates_keeps_what_it_leaves_out() {
    let read = import(UPDATE.0, None);
    assert_eq!((read.format, read.problems.as_slice()), (Format::CommandLine, [].as_slice()));
    compare(&read, UPDATE.1, 0);
    assert!(read.value("strategy").is_some_and(|row| row.origin == Origin::Unresolved));
    let document = read.document.clone().expect("a scenario");
    assert_eq!(document.service.desired_count, None, "1 is not filled in");
    let breaker = document.service.deployment.breaker.and_then(|breaker| breaker.threshold).expect("a threshold");
    assert_eq!((breaker.kind.as_deref(), breaker.value), (Some("COUNT"), Some(4)), "not multiplied, not bounded");
    says(&read.needs, "keeps the live number");
    says(&read.needs, "kept from the service");
    says(&read.warnings, "add up over the whole deployment");
}

/// The same call in the quotes of each shell, in shorthand and in JSON.
#[test]
fn quotes_shorthand_and_json_say_the_same() {
    let json = r#"{"minimumHealthyPercent": 50, "maximumPercent": 150, "deploymentCircuitBreaker": {"enable": true, "rollback": true}}"#;
    let escaped = json.replace('"', "\\\"");
    let short = "minimumHealthyPercent=50,maximumPercent=150,deploymentCircuitBreaker={enable=true,rollback=true}";
    let call = |value: &str| {
        format!("aws ecs update-service --service web --desired-count 4 --deployment-configuration {value}")
    };
    let texts = [
        call(&format!("'{json}'")),
        call(&format!("\"{escaped}\"")),
        call(short),
        call(&format!("\"{short}\"")),
        call(&format!("\"{short}\"")).replace(" --", " \\\n  --"),
        call(&format!("'{json}'")).replace(" --", " `\n  --"),
        call(&format!("'{escaped}'")).replace(" --", " `\r\n  --"),
        call(&format!("\"{}\"", json.replace('"', "`\""))).replace(" --", " `\n  --"),
        call(&format!("\"{escaped}\"")).replace(" --", " ^\n  --"),
        format!("PS C:\\work> {}", call(&format!("'{json}'"))),
        format!("$ {}", call(short)),
        format!(
            "aws ecs update-service --cli-input-json '{{\"service\": \"web\", \"desiredCount\": 4, \"deploymentConfiguration\": {json}}}'"
        ),
        call(short).replace("--service web", "--service={{web}}").replace("--desired-count 4", "--desired-count={{4}}"),
    ];
    for text in texts {
        let read = import(&text, None);
        assert_eq!(
            (read.format, read.problems.as_slice(), read.name.as_deref()),
            (Format::CommandLine, [].as_slice(), Some("web")),
            "{text}"
        );
        let service = read.document.expect("a scenario").service;
        assert_eq!(
            (service.desired_count, service.deployment.minimum, service.deployment.maximum),
            (Some(4), Some(50), Some(150)),
            "{text}"
        );
        let breaker = service.deployment.breaker.expect("a breaker");
        assert_eq!((breaker.enable, breaker.rollback), (Some(true), Some(true)), "{text}");
    }
}

#[test]
fn what_a_shell_fills_in_or_a_file_holds_is_not_known() {
    let text = "aws ecs update-service --service web --desired-count $COUNT --deployment-configuration file://dc.json";
    let read = import(text, None);
    let row = read.value("desiredCount").expect("a row");
    assert_eq!((row.origin, row.line), (Origin::Unresolved, Some(1)));
    says(&read.needs, "desiredCount, which $COUNT stands for");
    assert!(read.value("maximumPercent").is_some_and(|row| row.origin == Origin::Unresolved));
    let open = import(
        "aws ecs create-service --service-name web --desired-count 2 --deployment-configuration maximumPercent=$M,minimumHealthyPercent=50",
        None,
    );
    assert!(open.value("maximumPercent").is_some_and(|row| row.origin == Origin::Unresolved));
    assert!(open.value("minimumHealthyPercent").is_some_and(|row| row.origin == Origin::Explicit));
}

#[test]
fn several_services_in_each_form_ask_for_a_choice() {
    let template = TEMPLATE.0.replace(
        "  Service:\n",
        "  Other:\n    Type: AWS::ECS::Service\n    Properties: {DesiredCount: 7}\n  Service:\n",
    );
    let terraform = format!("{}\n{}", TERRAFORM.0, REPORTS.0);
    let commands = format!("{}\n{}\n{}", CREATE.0, UPDATE.0, UPDATE.0);
    for (text, names, count) in [
        (template.as_str(), vec!["Other", "Service"], Some(7)),
        (&terraform, vec!["aws_ecs_service.this", "aws_ecs_service.reports"], Some(5)),
        (&commands, vec!["thumbnailer", "checkout", "checkout (2)"], Some(8)),
    ] {
        let open = import(text, None);
        assert_eq!(
            (open.choices.as_slice(), &open.document),
            (names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>().as_slice(), &None)
        );
        let chosen = import(text, Some(names[0]));
        assert_eq!(chosen.document.expect("the chosen one").service.desired_count, count);
        let wrong = import(text, Some("nobody"));
        assert!(wrong.document.is_none() && wrong.problems[0].allowed.contains(names[1]));
    }
}

#[test]
fn a_compose_file_is_read_and_computed_and_not_run() {
    let open = import(COMPOSE.0, None);
    assert_eq!(
        (open.format, open.choices.as_slice()),
        (Format::Compose, ["api".to_owned(), "cache".to_owned(), "migrate".to_owned()].as_slice())
    );
    for (index, name) in ["api", "cache", "migrate"].into_iter().enumerate() {
        let read = import(COMPOSE.0, Some(name));
        let workload = compare(&read, COMPOSE.1, index);
        for (field, wanted) in workload.get("computed").and_then(Value::as_object).expect("numbers") {
            let row = read.value(field).unwrap_or_else(|| panic!("{field}"));
            assert_eq!((&row.value, row.origin), (wanted, Origin::Computed), "{name} {field}");
        }
        assert!(read.document.is_none() && read.problems[0].allowed.contains("not run"));
    }
    let api = import(COMPOSE.0, Some("api"));
    says(&api.warnings, "stops all 6 tasks at once");
    says(&api.warnings, "40 + 5 × 10 s");
    let open = import(
        &COMPOSE.0.replace("replicas: 6", "replicas: ${N}").replace("parallelism: 2", "parallelism: ${P:-3}"),
        Some("api"),
    );
    assert!(
        open.value("replicas").is_some_and(|row| row.origin == Origin::Unresolved) && open.value("batches").is_none()
    );
    let row = open.value("parallelism").expect("a row");
    assert_eq!((row.value.as_i64(), row.origin), (Some(3), Origin::ParameterDefault));
}

#[test]
fn a_nomad_job_is_read_and_computed_and_not_run() {
    for (index, name) in ["billing/api", "billing/worker"].into_iter().enumerate() {
        let read = import(NOMAD.0, Some(name));
        assert_eq!(read.format, Format::Nomad);
        let workload = compare(&read, NOMAD.1, index);
        for (field, wanted) in workload.get("computed").and_then(Value::as_object).expect("numbers") {
            let row = read.value(field).unwrap_or_else(|| panic!("{field}"));
            assert_eq!((&row.value, row.origin), (wanted, Origin::Computed), "{name} {field}");
        }
        assert!(read.document.is_none() && read.problems[0].allowed.contains("not run"));
    }
    says(&import(NOMAD.0, Some("billing/api")).warnings, "until somebody promotes it");
    says(&import(NOMAD.0, Some("billing/worker")).warnings, "run for 15 s");
}

const DEPLOYMENT: &str = r#"{ "serviceDeployments": [ {
  "serviceDeploymentArn": "arn:aws:ecs:eu-west-1:111122223333:service-deployment/harbor/web/abc",
  "serviceArn": "arn:aws:ecs:eu-west-1:111122223333:service/harbor/web",
  "createdAt": "2026-11-18T14:02:11.482000+01:00",
  "sourceServiceRevisions": [ { "arn": "arn:x/old", "requestedTaskCount": 4, "runningTaskCount": 3, "pendingTaskCount": 0 } ],
  "targetServiceRevision": { "arn": "arn:x/new", "requestedTaskCount": 4, "runningTaskCount": 2, "pendingTaskCount": 1 },
  "status": "IN_PROGRESS",
  "deploymentConfiguration": { "minimumHealthyPercent": 75, "maximumPercent": 150,
    "deploymentCircuitBreaker": { "enable": true, "rollback": true } },
  "deploymentCircuitBreaker": { "status": "MONITORING", "failureCount": 1, "threshold": 3 } } ] }"#;

#[test]
fn a_service_deployment_under_way() {
    let read = import(DEPLOYMENT, None);
    assert_eq!(
        (read.format, read.problems.as_slice(), read.name.as_deref()),
        (Format::ServiceDeployments, [].as_slice(), Some("web"))
    );
    let desired = read.value("desiredCount").expect("a row");
    assert_eq!((desired.value.as_i64(), desired.origin, desired.line), (Some(4), Origin::Live, Some(6)));
    for (field, value) in
        [("live.new.running", 2), ("live.new.failedTasks", 1), ("live.old.running", 3), ("live.breaker.threshold", 3)]
    {
        assert_eq!(read.value(field).and_then(|row| row.value.as_i64()), Some(value), "{field}");
    }
    let document = read.document.expect("a scenario");
    let start = document.start.clone().and_then(|start| start.deployments).expect("the state it is in");
    assert_eq!((start[0].healthy, start[1].running, start[1].pending), (Some(3), Some(2), Some(1)));
    document.resolve().expect("it can run");
    let back = import(&DEPLOYMENT.replace("IN_PROGRESS", "ROLLBACK_IN_PROGRESS"), None).document.expect("a scenario");
    let states = back.start.clone().and_then(|start| start.deployments).expect("both");
    assert_eq!(
        states.iter().map(|one| one.state.as_deref()).collect::<Vec<_>>(),
        [Some("FAILED"), Some("IN_PROGRESS")]
    );
    let ended = import(&DEPLOYMENT.replace("IN_PROGRESS", "SUCCESSFUL"), None);
    says(&ended.warnings, "has ended (SUCCESSFUL)");
    assert!(ended.document.is_some_and(|document| document.start.is_none()));
}

#[test]
fn the_format_can_be_asked_for() {
    let as_json = import_as(BARE.0, None, Some(Format::Service));
    assert!(as_json.document.is_none() && as_json.format == Format::Unknown);
    // A text that looks like a manifest and is asked for as something else is named as what it is not.
    let wrong = import_as(TEMPLATE.0, None, Some(Format::Compose));
    assert_eq!((wrong.format, wrong.problems.len()), (Format::Compose, 1));
    for (flag, format) in Format::FLAGS {
        assert_eq!((Format::from_flag(flag), format.flag()), (Some(format), Some(flag)));
        // Whatever is asked for, an answer comes.
        for (text, _) in [CREATE, TEMPLATE, TERRAFORM, CDK, COMPOSE, NOMAD] {
            let read = import_as(text, None, Some(format));
            let answered = read.document.is_some() || !read.problems.is_empty() || !read.choices.is_empty();
            assert!(answered || read.format == Format::Parts, "{flag}");
        }
    }
}

#[test]
fn faults_have_their_line_and_column() {
    for (text, place, words) in [
        ("resource \"aws_ecs_service\" \"a\" {\n  desired_count = 3\n  alarms {\n", (4, 1), "closes alarms of line 3"),
        (
            "aws ecs create-service --service-name a \\\n --deployment-configuration maximumPercent=150,alarms={enable",
            (2, 62),
            "= behind enable",
        ),
        ("aws ecs create-service --service-name 'a", (1, 39), "'"),
        ("aws ecs update-service --service a --deployment-configuration '{\"maximumPercent\": }'", (1, 83), "a value"),
        ("Resources:\n  A:\n    Type: AWS::ECS::Service\n    Properties: [1\n", (5, 1), "expected"),
        ("Resources:\n  Topic:\n    Type: AWS::SNS::Topic\n", (1, 1), "AWS::ECS::Service"),
        ("module \"ecs\" {\n  source = \"x\"\n}\n", (1, 1), "inside of a module"),
    ] {
        let read = import(text, None);
        let problem = read.problems.first().unwrap_or_else(|| panic!("{text}"));
        assert!(problem.to_string().contains(words), "{text}: {problem}");
        assert_eq!(problem.position, Some(place), "{text}: {problem}");
    }
}
