//! Manifests of Kubernetes, each with what a correct reading of it gives.

use rollscope_import::{Format, Import, import};
use rollscope_scenario::document::IntOrString;
use rollscope_scenario::json::{self, Value};

macro_rules! fixture {
    ($name:literal) => {
        (
            include_str!(concat!("fixtures/", $name, "/input.yaml")),
            include_str!(concat!("fixtures/", $name, "/expected.json")),
        )
    };
}

const ANCHORS: (&str, &str) = fixture!("10-k8s-multidoc-anchors");
const HELM: (&str, &str) = fixture!("11-helm-rendered-defaults");
const OTHERS: (&str, &str) = fixture!("12-k8s-statefulset-daemonset");
const LIVE: (&str, &str) = fixture!("15-kubectl-get-deployment-yaml");

/// Every value of the expected reading stands in the import with its origin; the numbers that follow.
fn compare(import: &Import, expected: &str, index: usize) -> Value {
    let expected = json::read(expected).expect("the fixture is JSON").value;
    let workload = expected.pointer(&format!("/workloads/{index}")).expect("a workload").clone();
    for (field, wanted) in workload.get("values").and_then(Value::as_object).expect("values") {
        let row = import.value(field).unwrap_or_else(|| panic!("{field} was not read"));
        assert_eq!(Some(&row.value), wanted.get("value"), "{field}");
        assert_eq!(Some(row.origin.name()), wanted.get("origin").and_then(Value::as_str), "{field}");
    }
    workload
}

/// Floor and ceiling as the engine has them.
fn limits(import: &Import) -> (i64, i64) {
    let resolved = import.document.as_ref().expect("a scenario").resolve().expect("it can run");
    let frame = rollscope_engine::Simulation::new(resolved.settings).frame();
    (i64::from(frame.counts.limits.floor), i64::from(frame.counts.limits.ceiling))
}

fn computed(workload: &Value) -> (i64, i64) {
    let number = |key: &str| workload.pointer(&format!("/computed/{key}")).and_then(Value::as_i64).expect(key);
    (number("minAvailable"), number("maxTotal"))
}

fn says(list: &[String], words: &str) -> bool {
    list.iter().any(|text| text.contains(words))
}

#[test]
fn several_documents_with_anchors_and_merge_keys() {
    let read = import(ANCHORS.0, None);
    assert_eq!((read.format, &read.problems[..]), (Format::Manifest, &[][..]));
    let workload = compare(&read, ANCHORS.1, 0);
    assert_eq!(limits(&read), computed(&workload));
    let document = read.document.as_ref().expect("a scenario");
    assert_eq!(document.title.as_deref(), Some("gateway"));
    let rolling = document.deployment.strategy.as_ref().and_then(|strategy| strategy.rolling_update.as_ref());
    let rolling = rolling.expect("rollingUpdate");
    assert_eq!(rolling.max_surge, Some(IntOrString::Text("25%".into())), "not that of the ConfigMap's text");
    assert_eq!(rolling.max_unavailable, Some(IntOrString::Int(0)), "not that of the PodDisruptionBudget");
    let row = read.value("maxSurge").expect("a row");
    assert_eq!(row.line, Some(28));
    for words in ["puts the number back to 10", "does not limit a rolling update", "about 5 + 18 × 10 s"] {
        assert!(says(&read.warnings, words), "{words}: {:?}", read.warnings);
    }
    assert!(says(&read.needs, "4 to 20") && says(&read.needs, "until it is ready") && says(&read.needs, "nodes"));
    for unused in ["ConfigMap gateway-config", "/spec/selector", "/spec/template/metadata", "containers/0/resources"] {
        assert!(says(&read.ignored, unused), "{unused}: {:?}", read.ignored);
    }
}

#[test]
fn what_helm_renders() {
    let read = import(HELM.0, None);
    assert_eq!(read.problems, []);
    let workload = compare(&read, HELM.1, 0);
    assert_eq!(limits(&read), computed(&workload));
    assert!(says(&read.warnings, "needs 4 nodes"), "{:?}", read.warnings);
    assert!(says(&read.warnings, "more than about 30 s"), "{:?}", read.warnings);
    for other in ["ServiceAccount rel1-notifier", "Service rel1-notifier", "Pod rel1-notifier-test-connection"] {
        assert!(says(&read.ignored, other), "{other}");
    }
    assert!(read.choices.is_empty() && !says(&read.needs, "strategy"));
}

#[test]
fn a_stateful_set_and_a_daemon_set_are_read_and_not_simulated() {
    let both = import(OTHERS.0, None);
    assert_eq!(
        (&both.choices[..], both.document.is_none()),
        (&["queue".to_owned(), "log-shipper".to_owned()][..], true)
    );
    for (index, name) in both.choices.iter().enumerate() {
        let read = import(OTHERS.0, Some(name));
        compare(&read, OTHERS.1, index);
        assert_eq!(read.problems, [], "{name}");
        assert!(read.document.expect("a scenario").resolve().is_ok(), "{name}");
    }
    let queue = import(OTHERS.0, Some("queue"));
    assert!(queue.value("maxSurge").is_none(), "a StatefulSet has none");
    assert!(says(&queue.warnings, "ordinals 0 to 2 stay") && says(&queue.warnings, "with 2 of 5 updated"));
    assert!(says(&queue.warnings, "a revert alone does not free it"));
    assert!(says(&import(OTHERS.0, Some("log-shipper")).warnings, "no readiness probe"));
    assert!(import(OTHERS.0, Some("none")).problems[0].to_string().contains("queue, log-shipper"));
}

#[test]
fn a_partition_stops_where_the_manifest_says() {
    use rollscope_engine::kubernetes::Change;
    use rollscope_engine::trace::What;
    let read = import(OTHERS.0, Some("queue"));
    let workload = compare(&read, OTHERS.1, 0);
    let resolved = read.document.as_ref().expect("a scenario").resolve().expect("it can run");
    let mut trace = rollscope_engine::Trace::new();
    let mut run = rollscope_engine::Simulation::new(resolved.settings);
    run.advance_to(rollscope_engine::SimTime(3_600_000), &mut trace);
    let removed = trace.records.iter().filter_map(|record| match record.what {
        What::Kubernetes(Change::Removed { place, .. }) => Some(Value::from(place)),
        _ => None,
    });
    assert_eq!(Some(&Value::array(removed)), workload.pointer("/computed/updatedOrdinalsInOrder"));
    assert_eq!(limits(&read).0, workload.pointer("/computed/minReady").and_then(Value::as_i64).expect("a number"));
}

#[test]
fn a_daemon_sets_percentage_rounds_up() {
    let read = import(OTHERS.0, Some("log-shipper"));
    let workload = compare(&read, OTHERS.1, 1);
    let rows = workload.pointer("/computed/unavailableFor").and_then(Value::as_array).expect("rows");
    assert_eq!(rows.len(), 3);
    for row in rows {
        let number = |key: &str| row.get(key).and_then(Value::as_i64).expect(key);
        let mut document = read.document.clone().expect("a scenario");
        document.nodes = Some(number("nodes"));
        let limits = document.resolve().expect("it can run").limits;
        assert_eq!(i64::from(limits.desired - limits.floor), number("value"), "{row}");
    }
}

#[test]
fn the_answer_of_the_api_server() {
    let read = import(LIVE.0, None);
    assert_eq!(read.problems, []);
    let workload = compare(&read, LIVE.1, 0);
    assert_eq!(limits(&read), computed(&workload));
    let document = read.document.as_ref().expect("a scenario");
    assert_eq!(document.deployment.replicas, Some(8), "neither the annotation's 4 nor the status' 11");
    assert!(says(&read.warnings, "stuck and past its deadline: 6 old available, 5 new not available; both limits"));
    assert!(says(&read.warnings, "(8 live, 4 applied): the next apply scales to 4"), "{:?}", read.warnings);
}

#[test]
fn the_same_as_json_and_as_a_list() {
    let object = r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"NAME"},"spec":{"replicas":3,"strategy":{"type":"Recreate"}}}"#;
    let (web, api) = (object.replace("NAME", "web"), object.replace("NAME", "api"));
    let read = import(&web, None);
    assert_eq!(
        (read.format, read.document.as_ref().and_then(|one| one.deployment.replicas)),
        (Format::Manifest, Some(3))
    );
    assert!(read.value("maxSurge").is_none(), "Recreate has none");
    let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{web},{api}]}}"#);
    assert_eq!(import(&list, None).choices, ["web", "api"]);
    assert_eq!(import(&list, Some("api")).document.and_then(|one| one.title).as_deref(), Some("api"));
}

#[test]
fn what_another_tool_fills_in_is_unresolved_and_not_invented() {
    let text = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  {{- if .Values.on }}\n  \
                replicas: {{ .Values.replicas }}\n  {{- end }}\n  strategy:\n    rollingUpdate:\n      maxSurge: ${SURGE}\n      maxUnavailable: 0\n";
    let read = import(text, None);
    assert_eq!(read.problems, []);
    for field in ["replicas", "maxSurge"] {
        let row = read.value(field).expect("a row");
        assert_eq!((row.origin.name(), &row.value), ("unresolved", &Value::Null), "{field}");
        assert!(says(&read.needs, &format!("{field}, which")), "{:?}", read.needs);
    }
    assert_eq!(read.document.expect("a scenario").deployment.replicas, None);
}

#[test]
fn bad_yaml_is_named_with_its_place() {
    let good = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n";
    let table = [
        ("  replicas: 4\n  strategy: type: Recreate\n", (7, 17), "a colon makes a new key"),
        ("\treplicas: 4\n", (6, 1), "not a tab"),
        ("  replicas: [4\n", (7, 1), "expected"),
        ("  replicas: 4\n  replicas: 5\n", (7, 3), "each key once"),
    ];
    for (rest, place, words) in table {
        let read = import(&format!("{good}{rest}"), None);
        let problem = read.problems.first().unwrap_or_else(|| panic!("{rest}"));
        assert_eq!(problem.position.map(|at| at.0), Some(place.0), "{problem}");
        assert!(problem.to_string().contains(words), "{problem}");
        assert!(read.document.is_none());
    }
    // A value of the wrong kind has the line of its key.
    let read = import(&format!("{good}  replicas: many\n"), None);
    assert_eq!(read.problems[0].position, Some((6, 3)), "{}", read.problems[0]);
    // What is no manifest is called by its keys.
    let read = import("image: nginx\nports: [80]\n", None);
    assert!(read.problems[0].to_string().contains("an object with image, ports"), "{}", read.problems[0]);
    let read = import("apiVersion: v1\nkind: Service\nmetadata: {name: web}\n", None);
    assert!(read.problems[0].to_string().contains("Service web: expected a Deployment"), "{}", read.problems[0]);
}

#[test]
fn two_pods_on_a_node_cannot_have_the_same_port_of_it() {
    let manifest = |kind: &str, port: &str, strategy: &str| {
        format!(
            "apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: agent}}\nspec:\n  {strategy}\n  template:\n    spec:\n      \
             containers: [{{name: agent, ports: [{{containerPort: 9100{port}}}]}}]\n"
        )
    };
    let surge = "updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
    let refused = |text: String| {
        let read = import(&text, None);
        assert_eq!(read.problems, []);
        let found = read.document.expect("a scenario").resolve().map(|_| ()).err().unwrap_or_default();
        found.iter().any(|problem| problem.is_error() && problem.field.ends_with("/ports/0/hostPort"))
    };
    assert!(refused(manifest("DaemonSet", ", hostPort: 9100", surge)));
    assert!(!refused(manifest("DaemonSet", "", surge)));
    assert!(!refused(manifest("DaemonSet", ", hostPort: 9100", "minReadySeconds: 0")));
    // The ports of a Deployment's Pods are not read.
    let other = import(&manifest("Deployment", ", hostPort: 9100", "minReadySeconds: 0"), None);
    assert!(says(&other.ignored, "containers/0/ports"), "{:?}", other.ignored);
}
