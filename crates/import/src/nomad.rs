//! Jobs of Nomad with `update`: the settings of each group, and what follows from them.

use rollscope_scenario::json::Value;
use rollscope_scenario::problem::{Kind, Problem};

use crate::compose::{not_run, seconds};
use crate::hcl::scope::Scope;
use crate::hcl::{Block, Body};
use crate::node::Node;
use crate::{Format, Import, Origin};

/// The chosen group of a job.
pub fn read(body: &Body, choice: Option<&str>) -> Import {
    let mut import = Import::new(Format::Nomad);
    let groups: Vec<(&Block, &Block)> =
        body.blocks("job").flat_map(|job| job.body.blocks("group").map(move |group| (job, group))).collect();
    if groups.is_empty() {
        import.problems.push(Problem::error(Kind::Unknown, "", "this text", "expected a job with a group"));
        return import;
    }
    let name = |block: &Block| block.labels.first().cloned().unwrap_or_default();
    let names: Vec<String> = groups.iter().map(|(job, group)| format!("{}/{}", name(job), name(group))).collect();
    if let Some(chosen) = import.choose(names.clone(), choice, "groups") {
        let (job, group) = groups[chosen];
        import.name = Some(names[chosen].clone());
        let scope = Scope::new(body);
        one(&scope, job, group, &mut import);
        let used = scope.used();
        if !used.is_empty() {
            import.needs.push(format!("{} of the real run, if not the defaults of the variables", used.join(", ")));
        }
        import.problems.push(not_run(&format!("group {}", names[chosen]), group.at));
    }
    import
}

/// The value of an attribute of the last block that has it.
fn attribute(scope: &Scope<'_>, blocks: &[&Block], name: &str) -> Option<Node> {
    let given = blocks.iter().rev().find_map(|block| block.body.attribute(name))?;
    Some(scope.eval(&given.value).seen_at(given.at))
}

/// A row: given, unresolved, or its default.
fn row(name: &str, given: Option<Node>, is_time: bool, default: Value, import: &mut Import) {
    let Some(node) = given else { return import.row(name, default, Origin::Default, None) };
    if node.origin == Origin::Unresolved {
        import.needs.push(format!("{name}, which {} stands for", node.words().as_str().unwrap_or_default()));
        return import.row(name, Value::Null, Origin::Unresolved, Some(node.at.0));
    }
    let value = if is_time { node.written().and_then(|text| seconds(&text)) } else { Some(node.value()) };
    match value {
        Some(value) => import.row(name, value, node.whole_origin(), Some(node.at.0)),
        None => {
            let mut problem = Problem::error(Kind::Invalid, "", node.value().short(40), "a duration such as 1m30s");
            problem.position = Some(node.at);
            import.problems.push(problem);
        }
    }
}

fn one(scope: &Scope<'_>, job: &Block, group: &Block, import: &mut Import) {
    row("count", attribute(scope, &[group], "count"), false, 1.into(), import);
    // The group's own block wins key by key; what it leaves out is the job's.
    let updates: Vec<&Block> = job.body.blocks("update").chain(group.body.blocks("update")).collect();
    for (name, key, is_time, default) in [
        ("maxParallel", "max_parallel", false, Value::from(1)),
        ("canary", "canary", false, 0.into()),
        ("minHealthyTimeSeconds", "min_healthy_time", true, 10.into()),
        ("healthyDeadlineSeconds", "healthy_deadline", true, 300.into()),
        ("progressDeadlineSeconds", "progress_deadline", true, 600.into()),
        ("autoRevert", "auto_revert", false, false.into()),
        ("autoPromote", "auto_promote", false, false.into()),
        ("healthCheck", "health_check", false, "checks".into()),
    ] {
        row(name, attribute(scope, &updates, key), is_time, default, import);
    }
    if updates.iter().any(|block| block.body.attribute("stagger").is_some()) {
        import.ignored.push("update.stagger (it paces system jobs)".into());
    }
    let tasks: Vec<&Block> = group.body.blocks("task").collect();
    // The group is stopped when its slowest task is.
    let kill = tasks.iter().filter_map(|task| attribute(scope, &[task], "kill_timeout"));
    let time = |node: &Node| node.written().and_then(|text| seconds(&text)).and_then(|value| value.as_i64());
    row("killTimeoutSeconds", kill.max_by_key(time), true, 5.into(), import);
    let services = group.body.blocks("service").chain(tasks.iter().flat_map(|task| task.body.blocks("service")));
    let checks: Vec<&Block> = services.flat_map(|service| service.body.blocks("check")).collect();
    match checks.first() {
        Some(first) => import.row("serviceChecks", checks.len(), Origin::Explicit, Some(first.at.0)),
        None => import.row("serviceChecks", 0, Origin::Default, None),
    }
    computed(import, &group.labels.first().cloned().unwrap_or_default());
    import.needs.push("start-up time".into());
    import.needs.push("room on the nodes".into());
}

/// What follows from the settings.
fn computed(import: &mut Import, group: &str) {
    let int = |field: &str| import.value(field).and_then(|row| row.value.as_i64());
    let (count, parallel, canary) = (int("count"), int("maxParallel"), int("canary"));
    let healthy = int("minHealthyTimeSeconds");
    let (Some(count), Some(parallel), Some(canary)) = (count, parallel, canary) else { return };
    let promotes = import.value("autoPromote").and_then(|row| row.value.as_bool());
    if canary > 0 {
        import.row("peakWithCanary", count.saturating_add(canary), Origin::Computed, None);
        if let Some(promotes) = promotes {
            import.row("waitsForPromotion", !promotes, Origin::Computed, None);
        }
        if promotes == Some(false) {
            import.warnings.push(format!("The {group} group stops after the canary until somebody promotes it."));
            import.needs.push("when a person promotes the canary".into());
        }
    } else if parallel > 0 {
        import.row("batches", count.saturating_add(parallel - 1) / parallel, Origin::Computed, None);
        import.row("minRunning", (count - parallel).max(0), Origin::Computed, None);
    }
    if let (Some(0), Some(healthy)) = (import.value("serviceChecks").and_then(|row| row.value.as_i64()), healthy) {
        import.warnings.push(format!("The {group} group has no checks: healthy means the tasks run for {healthy} s."));
    }
}
