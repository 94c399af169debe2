//! The two dials: floor and ceiling of one platform by those of another.

use alloc::format;

use rollscope_engine::platform::kubernetes::IntOrPercent;
use rollscope_engine::platform::kubernetes::rules_fence::fence_posts;
use rollscope_engine::platform::vmss;

use super::{Move, Platform};
use crate::document::Document;
use crate::json::Value;
use crate::limits::{ceiling, floor};

/// How many, and what the dials leave.
struct Dials {
    desired: u32,
    /// Missing at most.
    down: u32,
    /// Beyond at most.
    up: u32,
    /// Both as they are given, which keeps a percentage one.
    given: (IntOrPercent, IntOrPercent),
}

/// Carries the number and the dials over.
pub(super) fn carry(moving: &mut Move<'_>) {
    let dials = read(moving);
    let (desired, wanted) = (moving.here.desired, moving.there.desired);
    if moving.get(desired).is_some() || moving.there.platform == Platform::Ecs || wanted == "/nodes" {
        moving.put(desired, wanted, dials.desired);
    }
    match moving.there.platform {
        Platform::Ecs => to_ecs(moving, &dials),
        Platform::Kubernetes => to_deployment(moving, &dials),
        Platform::StatefulSet => to_ordinals(moving, &dials),
        Platform::DaemonSet => to_nodes(moving, &dials),
        Platform::InstanceRefresh => to_refresh(moving, &dials),
        Platform::Mig => to_mig(moving, &dials),
        Platform::Vmss => to_vmss(moving, &dials),
    }
}

fn read(moving: &mut Move<'_>) -> Dials {
    let desired = moving.from.pointer(moving.here.desired).and_then(Value::as_u64).unwrap_or(1).min(20_000) as u32;
    match moving.here.platform {
        Platform::Ecs => {
            let (at_minimum, at_maximum) = (moving.here.down, moving.here.up.unwrap_or_default());
            let mut number = |pointer: &str, default: u64, most: u64| {
                moving.get(pointer).and_then(|value| value.as_u64()).unwrap_or(default).min(most) as u32
            };
            let minimum = number(at_minimum, 100, 100);
            let maximum = number(at_maximum, 200, u64::from(u32::MAX)).max(100);
            Dials {
                desired,
                down: desired - floor(desired, minimum),
                up: ceiling(desired, maximum).saturating_sub(desired),
                given: (IntOrPercent::Percent(100 - minimum), IntOrPercent::Percent(maximum - 100)),
            }
        }
        Platform::Kubernetes => {
            let recreate = moving.get("/service/strategy/type").is_some_and(|kind| kind.as_str() == Some("Recreate"));
            let (down, up) = (moving.get(moving.here.down), moving.get(moving.here.up.unwrap_or_default()));
            let (down, up) = match recreate {
                true => (IntOrPercent::Percent(100), IntOrPercent::Percent(0)),
                false => (fence(down), fence(up)),
            };
            let (surge, unavailable) = fence_posts(Some(up), Some(down), desired);
            Dials { desired, down: unavailable.min(desired), up: surge, given: (down, up) }
        }
        _ => computed(moving, desired),
    }
}

/// What the run would begin with; one at a time where the platform refuses the document.
fn computed(moving: &mut Move<'_>, desired: u32) -> Dials {
    let (document, _) = Document::from_value(moving.from);
    let limits = document.resolve().ok().map(|resolved| resolved.limits);
    let (desired, down, up) = limits.map_or((desired, desired.min(1), 0), |limits| {
        let down = limits.desired.saturating_sub(limits.floor);
        (limits.desired, down, limits.ceiling.saturating_sub(limits.desired))
    });
    for pointer in [Some(moving.here.down), moving.here.up].into_iter().flatten() {
        // An Azure surge is a switch, a group's omitted maximum is none.
        moving.get(pointer);
    }
    Dials { desired, down, up, given: (IntOrPercent::Int(down), IntOrPercent::Int(up)) }
}

/// A dial of Kubernetes; absent: 25%.
fn fence(value: Option<Value>) -> IntOrPercent {
    match value {
        None => IntOrPercent::Percent(25),
        Some(Value::String(text)) => {
            text.strip_suffix('%').and_then(|n| n.parse().ok()).map_or(IntOrPercent::Percent(25), IntOrPercent::Percent)
        }
        Some(value) => IntOrPercent::Int(value.as_u64().unwrap_or(0).min(100_000) as u32),
    }
}

fn put_down(moving: &mut Move<'_>, value: impl Into<Value>) {
    moving.put(moving.here.down, moving.there.down, value);
}

fn put_up(moving: &mut Move<'_>, value: impl Into<Value>) {
    let here = moving.here.up.unwrap_or(moving.here.down);
    if let Some(there) = moving.there.up {
        moving.put(here, there, value);
    }
}

/// A dial that was read and says nothing there.
fn lose(moving: &mut Move<'_>, dial: Option<&'static str>) {
    if let Some(dial) = dial.filter(|dial| moving.from.pointer(dial).is_some()) {
        moving.lost.push(dial.into());
    }
}

fn to_ecs(moving: &mut Move<'_>, dials: &Dials) {
    let (down, up) = dials.given;
    put_down(moving, minimum(dials, down));
    put_up(moving, maximum(dials, up));
}

fn to_deployment(moving: &mut Move<'_>, dials: &Dials) {
    let text = |given: IntOrPercent, is: bool, count: u32| match given {
        IntOrPercent::Percent(percent) if is => Value::from(format!("{percent}%")),
        _ => count.into(),
    };
    let (down, up) = dials.given;
    let whole = Some(IntOrPercent::Percent(100));
    // A percentage of Pods that may be missing rounds down, one of Pods beyond rounds up. Nothing either way is refused.
    let rounded = fence_posts(whole, Some(down), dials.desired).1 == dials.down;
    let stuck = dials.up == 0 && dials.down == 0;
    put_down(moving, if stuck { 1.into() } else { text(down, rounded, dials.down) });
    put_up(moving, text(up, fence_posts(Some(up), whole, dials.desired).0 == dials.up, dials.up));
}

/// One Pod at a time is the default; more than that needs a feature gate, of which the settings tell.
fn to_ordinals(moving: &mut Move<'_>, dials: &Dials) {
    lose(moving, moving.here.up);
    if dials.down == 0 {
        lose(moving, Some(moving.here.down));
    }
    if dials.down > 1 {
        put_down(moving, dials.down);
    }
}

/// Nodes without, or with two: never both.
fn to_nodes(moving: &mut Move<'_>, dials: &Dials) {
    match (dials.down, dials.up) {
        (0, 0) => {}
        (0, up) => {
            put_up(moving, up);
            put_down(moving, 0);
        }
        (down, up) => {
            put_down(moving, down);
            if up > 0 {
                lose(moving, moving.here.up);
            }
        }
    }
}

/// The two percentages; an omitted maximum is not a written 100.
fn to_refresh(moving: &mut Move<'_>, dials: &Dials) {
    let (down, up) = dials.given;
    let most = maximum(dials, up).min(200);
    // At most 100 apart: where a given minimum leaves too little, the highest one with the same floor.
    let given = minimum(dials, down);
    let least = if most > given + 100 { minimum(dials, IntOrPercent::Int(dials.down)) } else { given };
    // With neither a room to shrink nor one to grow a minimum below 100 would take one down.
    put_down(moving, if dials.down == 0 && dials.up == 0 { 100 } else { least });
    if dials.up > 0 {
        put_up(moving, most.min(least + 100));
    }
}

/// Google refuses a group that may neither grow nor shrink.
fn to_mig(moving: &mut Move<'_>, dials: &Dials) {
    put_up(moving, dials.up);
    put_down(moving, dials.down.max(u32::from(dials.up == 0)));
}

/// Batches: of new ones first where none may be missing.
fn to_vmss(moving: &mut Move<'_>, dials: &Dials) {
    let surge = dials.down == 0 && dials.up > 0;
    let wanted = if surge { dials.up } else { dials.down.max(1) }.min(dials.desired);
    let fits = |percent: &u32| vmss::batch(dials.desired, *percent, 0) >= wanted;
    // The default stays where it does as well.
    if vmss::batch(dials.desired, 20, 0) != wanted {
        put_down(moving, (5..=100).find(fits).unwrap_or(100));
    }
    if surge {
        put_up(moving, true);
    } else if dials.up > 0 {
        lose(moving, moving.here.up);
    }
}

/// The least percentage that keeps the floor: the given one where it does.
fn minimum(dials: &Dials, given: IntOrPercent) -> u32 {
    let left = dials.desired - dials.down;
    if let IntOrPercent::Percent(percent) = given
        && percent <= 100
        && floor(dials.desired, 100 - percent) == left
    {
        return 100 - percent;
    }
    (u64::from(left) * 100).checked_div(u64::from(dials.desired)).unwrap_or(100) as u32
}

/// The percentage with the ceiling: the given one where it has it.
fn maximum(dials: &Dials, given: IntOrPercent) -> u32 {
    let most = dials.desired + dials.up;
    if let IntOrPercent::Percent(percent) = given
        && ceiling(dials.desired, 100 + percent) == most
    {
        return 100 + percent;
    }
    (u64::from(most) * 100).div_ceil(u64::from(dials.desired.max(1))) as u32
}
