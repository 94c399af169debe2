//! Settings that go out and come in again are the same settings.

use rollscope_import::export::{Export, NoteKind, Target, export};
use rollscope_import::{Format, Import, Origin, import_as};
use rollscope_scenario::json::Value;
use rollscope_scenario::{Document, Preset};

const ECS: [(Target, Format); 3] = [
    (Target::Cli, Format::CommandLine),
    (Target::CloudFormation, Format::CloudFormation),
    (Target::Terraform, Format::Terraform),
];
/// What Terraform's resource has no argument for, as places in a scenario's service.
const NOT_IN_TERRAFORM: [&str; 3] = [
    "/service/deploymentConfiguration/earlySuccessCriteria",
    "/service/deploymentConfiguration/deploymentCircuitBreaker/resetOnHealthyTask",
    "/service/deploymentConfiguration/deploymentCircuitBreaker/thresholdConfiguration",
];

fn document(text: &str) -> Document {
    Document::from_text(text).document
}

/// Every example that can be written for a target, by its name.
fn examples(target: Target) -> Vec<(&'static str, Document)> {
    let all = Preset::all().map(|preset| (preset.id, document(preset.document)));
    all.filter(|(_, one)| Target::of(one).contains(&target)).collect()
}

fn of_value(tree: &Value) -> Document {
    Document::from_value(tree).0
}

/// A document without what the target has no place for.
fn within(document: &Document, target: Target) -> Document {
    let mut tree = document.to_json();
    if target == Target::Terraform {
        for pointer in NOT_IN_TERRAFORM {
            tree.remove_pointer(pointer);
        }
        for index in 0..8 {
            for key in ["targetType", "timeoutConfiguration"] {
                tree.remove_pointer(&format!("/service/deploymentConfiguration/lifecycleHooks/{index}/{key}"));
            }
        }
    }
    of_value(&tree)
}

fn read(text: &str, format: Format, id: &str) -> Import {
    let import = import_as(text, None, Some(format));
    assert!(import.problems.is_empty(), "{id}: {:?}\n{text}", import.problems);
    assert!(import.document.is_some(), "{id}: nothing was read of\n{text}");
    import
}

fn written(document: &Document, base: Option<&Document>, target: Target) -> Export {
    export(document, base, target).expect("a platform of this target")
}

/// The scenario with what the imported text says in the place of its own settings.
fn with(own: &Document, import: &Import, target: Target) -> Document {
    let mut tree = own.to_json();
    let back = import.document.as_ref().map(Document::to_json).unwrap_or_default();
    let mut service = back.get("service").cloned().unwrap_or_default();
    if target == Target::Cli {
        for key in ["schedulingStrategy", "launchType", "loadBalancers"] {
            if let Some(given) = tree.pointer(&format!("/service/{key}")) {
                service.insert(key, given.clone());
            }
        }
    }
    tree.insert("service", service);
    for key in ["targetGroups", "containers"] {
        if target != Target::Cli && tree.get(key).is_some() {
            tree.insert(key, back.get(key).cloned().unwrap_or_default());
        }
    }
    of_value(&tree)
}

#[test]
fn every_setting_of_an_ecs_example_comes_back() {
    let mut compared = 0;
    for (target, format) in ECS {
        for (id, own) in examples(target) {
            let own = within(&own, target);
            let text = written(&own, None, target).text;
            if text.is_empty() {
                continue;
            }
            let back = with(&own, &read(&text, format, id), target);
            match (own.resolve(), back.resolve()) {
                (Ok(own), Ok(back)) => assert_eq!(own.settings, back.settings, "{id}\n{text}"),
                (own, back) => assert_eq!(own.is_err(), back.is_err(), "{id}: {:?}\n{text}", back.err()),
            }
            compared += 1;
        }
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn every_setting_of_a_workload_comes_back() {
    let all = examples(Target::Kubernetes);
    assert!(all.len() > 20, "{}", all.len());
    for (id, own) in all {
        let text = written(&own, None, Target::Kubernetes).text;
        // Nothing is given: all of it are defaults.
        if text.is_empty() {
            continue;
        }
        let mut tree = own.to_json();
        let back = read(&text, Format::Manifest, id).document.map(|back| back.to_json()).unwrap_or_default();
        tree.insert("service", back.get("service").cloned().unwrap_or_default());
        match (own.resolve(), of_value(&tree).resolve()) {
            (Ok(own), Ok(back)) => assert_eq!(own.settings, back.settings, "{id}\n{text}"),
            (own, back) => assert_eq!(own.is_err(), back.is_err(), "{id}: {:?}\n{text}", back.err()),
        }
    }
}

/// A base after a call that says what was imported: field by field, as the service stores it.
fn updated(base: &Document, import: &Import) -> Document {
    let back = import.document.clone().unwrap_or_default();
    let mut tree = base.to_json();
    let given = |field: &str| import.value(field).is_some_and(|row| row.origin == Origin::Explicit);
    let service = back.to_json().get("service").cloned().unwrap_or_default();
    for (key, value) in service.as_object().unwrap_or_default() {
        if !matches!(key.as_str(), "deploymentConfiguration" | "serviceName") && (key != "desiredCount" || given(key)) {
            tree.set_pointer(&format!("/service/{key}"), value.clone());
        }
    }
    // The reader of a service takes an empty list for one that is left out.
    if import
        .value("loadBalancerCount")
        .is_some_and(|row| row.origin == Origin::Explicit && row.value.as_i64() == Some(0))
    {
        tree.remove_pointer("/service/loadBalancers");
    }
    let mut whole = of_value(&tree);
    whole.service.deployment = base.service.deployment.updated(&back.service.deployment);
    whole
}

#[test]
fn a_change_of_a_service_leads_from_one_example_to_others() {
    for (target, format) in ECS {
        let mut all: Vec<(&str, Document)> = Vec::new();
        for (id, own) in examples(target).into_iter().map(|(id, one)| (id, within(&one, target))) {
            // Many examples differ in what happens to them alone.
            if all.iter().all(|(_, known)| known.service != own.service) {
                all.push((id, own));
            }
        }
        assert!(all.len() > 40, "{}", all.len());
        for (index, (from, base)) in all.iter().enumerate() {
            for (id, own) in all.iter().cycle().skip(index + 1).take(16) {
                // Target groups and containers are compared below.
                let mut base = base.clone();
                (base.target_groups, base.containers) = (own.target_groups.clone(), own.containers.clone());
                let said = written(own, Some(&base), target);
                let after = match said.text.as_str() {
                    "" => base,
                    text => updated(&base, &read(text, format, id)),
                };
                let rest = written(own, Some(&after), target);
                let gone = said.notes.iter().any(|note| note.kind == NoteKind::Dropped);
                assert!(gone || rest.text.is_empty(), "{from} to {id}\n{}\nthen\n{}", said.text, rest.text);
            }
        }
    }
}

#[test]
fn what_does_not_differ_is_not_said() {
    for (_, target) in Target::FLAGS {
        for (id, own) in examples(target) {
            assert_eq!(written(&own, Some(&own), target), Export::default(), "{id}");
        }
    }
}

/// An example with some settings in the place of its own.
fn service(text: &str) -> Document {
    let read = Document::from_text(text);
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    read.document
}

fn said(own: &str, base: &str, target: Target) -> (String, Vec<(NoteKind, String)>) {
    let export = written(&service(own), Some(&service(base)), target);
    (export.text, export.notes.into_iter().map(|note| (note.kind, note.of)).collect())
}

const BEFORE: &str = r#"{"service":{"serviceName":"web","desiredCount":4,"deploymentConfiguration":{
    "maximumPercent":150,"deploymentCircuitBreaker":{"enable":true,"rollback":false,"resetOnHealthyTask":false}}},
    "targetGroups":[{"healthCheckIntervalSeconds":10}],"containers":[{"name":"app","stopTimeout":60},{"name":"log"}]}"#;
const AFTER: &str = r#"{"service":{"serviceName":"web","desiredCount":4,"deploymentConfiguration":{
    "minimumHealthyPercent":100,"deploymentCircuitBreaker":{"enable":true,"rollback":true},
    "alarms":{"alarmNames":["web 5xx"],"enable":true,"rollback":true}}},
    "targetGroups":[{"deregistration_delay.timeout_seconds":30}],"containers":[{"name":"app"},{"name":"log"}]}"#;

/// The minimum of 100 is the default and no change; the maximum goes back to its default of 200; of the breaker the member
/// that was given before has to be said, because a call is merged with what is stored; the interval goes back to 30.
#[test]
fn a_change_as_commands() {
    let (text, notes) = said(AFTER, BEFORE, Target::Cli);
    let expected = r#"aws ecs update-service \
  --cluster CLUSTER \
  --service web \
  --deployment-configuration '{"maximumPercent":200,"deploymentCircuitBreaker":{"enable":true,"rollback":true,"resetOnHealthyTask":true},"alarms":{"alarmNames":["web 5xx"],"enable":true,"rollback":true}}'

aws elbv2 modify-target-group \
  --target-group-arn TARGET_GROUP_ARN \
  --health-check-interval-seconds 30

aws elbv2 modify-target-group-attributes \
  --target-group-arn TARGET_GROUP_ARN \
  --attributes Key=deregistration_delay.timeout_seconds,Value=30
"#;
    assert_eq!(text, expected);
    let expected = [
        (NoteKind::Blank, "CLUSTER".to_owned()),
        (NoteKind::Blank, "TARGET_GROUP_ARN".to_owned()),
        (NoteKind::InTaskDefinition, "app {\"stopTimeout\":30}".to_owned()),
    ];
    assert_eq!(notes, expected);
}

#[test]
fn a_change_as_a_template() {
    let (text, notes) = said(AFTER, BEFORE, Target::CloudFormation);
    let expected = r#"Resources:
  Web:
    Type: AWS::ECS::Service
    Properties:
      DeploymentConfiguration:
        MaximumPercent: 200
        DeploymentCircuitBreaker:
          Enable: true
          Rollback: true
          ResetOnHealthyTask: true
        Alarms:
          AlarmNames:
            - "web 5xx"
          Enable: true
          Rollback: true
  WebTargetGroup:
    Type: AWS::ElasticLoadBalancingV2::TargetGroup
    Properties:
      HealthCheckIntervalSeconds: 30
      TargetGroupAttributes:
        - Key: deregistration_delay.timeout_seconds
          Value: "30"
  WebTaskDefinition:
    Type: AWS::ECS::TaskDefinition
    Properties:
      ContainerDefinitions:
        - Name: app
          StopTimeout: 30
"#;
    assert_eq!(text, expected);
    assert_eq!(notes, []);
}

#[test]
fn a_change_as_a_configuration() {
    let (text, notes) = said(AFTER, BEFORE, Target::Terraform);
    let expected = r#"resource "aws_ecs_service" "web" {
  deployment_maximum_percent = 200

  deployment_circuit_breaker {
    enable   = true
    rollback = true
  }

  alarms {
    alarm_names = ["web 5xx"]
    enable      = true
    rollback    = true
  }
}

resource "aws_lb_target_group" "web" {
  deregistration_delay = 30

  health_check {
    interval = 30
  }
}

resource "aws_ecs_task_definition" "web" {
  container_definitions = jsonencode([{
    name        = "app"
    stopTimeout = 30
  }])
}
"#;
    assert_eq!(text, expected);
    assert_eq!(notes, [(NoteKind::NoPlace, "resetOnHealthyTask".to_owned())]);
}

#[test]
fn a_change_as_a_patch() {
    let base = r#"{"title":"web","platform":"kubernetes-deployment","service":{"replicas":4,"strategy":{"type":"RollingUpdate",
        "rollingUpdate":{"maxSurge":1}},"template":{"spec":{"containers":[{"name":"app",
        "readinessProbe":{"periodSeconds":5,"failureThreshold":2}},{"name":"log"}]}}}}"#;
    let own = r#"{"title":"web","platform":"kubernetes-deployment","service":{"replicas":4,"progressDeadlineSeconds":600,
        "strategy":{"type":"Recreate"},"template":{"spec":{"containers":[{"name":"app",
        "readinessProbe":{"periodSeconds":5},"livenessProbe":{"periodSeconds":20},
        "lifecycle":{"preStop":{"sleep":{"seconds":5}}}},{"name":"log"}]}}}}"#;
    let (text, notes) = said(own, base, Target::Kubernetes);
    let expected = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  strategy:
    type: Recreate
    rollingUpdate: null
  template:
    spec:
      containers:
        - name: app
          readinessProbe:
            failureThreshold: 3
          livenessProbe:
            periodSeconds: 20
          lifecycle:
            preStop:
              sleep:
                seconds: 5
              exec: null
";
    assert_eq!(text, expected);
    assert_eq!(notes, [(NoteKind::HowItAsks, "livenessProbe of app".to_owned())]);
}

#[test]
fn a_platform_without_a_form_has_none() {
    let group = service(r#"{"platform":"asg-refresh"}"#);
    for (flag, target) in Target::FLAGS {
        assert_eq!(export(&group, None, target), None, "{flag}");
        assert_eq!(Target::from_flag(flag), Some(target));
        assert_eq!(target.flag(), flag);
    }
    assert_eq!(export(&service(BEFORE), None, Target::Kubernetes), None);
    assert_eq!(export(&service(BEFORE), Some(&group), Target::Cli), None);
}

/// What the words of a shell and of a language would be read as stays text.
#[test]
fn odd_names_are_quoted() {
    let odd = r#"{"service":{"serviceName":"it's ${HOME} a b","desiredCount":1,"deploymentConfiguration":{
        "alarms":{"alarmNames":["a,b={c}","${x}","no","%{d}","\"q\"\\"],"enable":true,"rollback":true}}}}"#;
    for (target, format) in ECS {
        let own = service(odd);
        let text = written(&own, None, target).text;
        let back = read(&text, format, "odd").document.expect("it was read");
        assert_eq!(back.service.deployment, own.service.deployment, "{text}");
        assert_eq!(back.service.service_name, own.service.service_name, "{text}");
    }
}
