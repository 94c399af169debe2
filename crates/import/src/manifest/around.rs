//! What else the text says of a workload: who scales it, who limits its evictions. The rest is listed as not used.

use rollscope_scenario::json::Value;

use super::{Kind, called, int, text};
use crate::pieces::Found;
use crate::{Import, Origin};

/// Reads what stands beside the chosen workload.
pub fn read(chosen: &Found<'_>, objects: &[Found<'_>], import: &mut Import) {
    for found in objects.iter().filter(|found| !std::ptr::eq(found.value, chosen.value)) {
        match text(found.value, "/kind") {
            Some("HorizontalPodAutoscaler") if scales(found.value, chosen.value) => autoscaler(found, chosen, import),
            Some("PodDisruptionBudget") if selects(found.value, chosen.value) => budget(found, import),
            _ => {
                if Kind::of(found.value).is_none() {
                    import.ignored.push(called(found.value));
                }
            }
        }
    }
}

/// The autoscaler's target is this workload.
fn scales(autoscaler: &Value, workload: &Value) -> bool {
    let same = |theirs: &str, ours: &str| text(autoscaler, theirs) == text(workload, ours);
    same("/spec/scaleTargetRef/kind", "/kind") && same("/spec/scaleTargetRef/name", "/metadata/name")
}

fn autoscaler(found: &Found<'_>, chosen: &Found<'_>, import: &mut Import) {
    let (least, most) = (int(found.value, "/spec/minReplicas").unwrap_or(1), int(found.value, "/spec/maxReplicas"));
    let origin = if found.value.pointer("/spec/minReplicas").is_some() { Origin::Explicit } else { Origin::Default };
    import.row("hpa.min", least, origin, found.line("/spec/minReplicas"));
    if let Some(most) = most {
        import.row("hpa.max", most, Origin::Explicit, found.line("/spec/maxReplicas"));
    }
    if let Some(replicas) = int(chosen.value, "/spec/replicas") {
        import.warnings.push(format!(
            "replicas is set and an autoscaler targets this {}: applying the file puts the number back to {replicas}.",
            text(chosen.value, "/kind").unwrap_or_default()
        ));
    }
    let most = most.map_or_else(String::new, |most| format!(" to {most}"));
    import.needs.insert(0, format!("live replicas: an autoscaler owns the number ({least}{most})"));
}

/// Each label the budget asks for stands on the Pods.
fn selects(budget: &Value, workload: &Value) -> bool {
    let wanted = budget.pointer("/spec/selector/matchLabels").and_then(Value::as_object).unwrap_or_default();
    let own = workload.pointer("/spec/template/metadata/labels");
    !wanted.is_empty() && wanted.iter().all(|(key, value)| own.and_then(|own| own.get(key)) == Some(value))
}

fn budget(found: &Found<'_>, import: &mut Import) {
    for key in ["maxUnavailable", "minAvailable"] {
        let at = format!("/spec/{key}");
        if let Some(value) = found.value.pointer(&at) {
            import.row(format!("pdb.{key}"), value.clone(), Origin::Explicit, found.line(&at));
        }
    }
    import.warnings.push("The PodDisruptionBudget does not limit a rolling update.".into());
}
