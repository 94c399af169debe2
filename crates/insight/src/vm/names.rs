//! Names of things in JSON.

use rollscope_engine::platform::vm::{Blocked, Hold, Kind, Why};

/// `blocked_by`
pub const fn blocked(by: Blocked) -> &'static str {
    match by {
        Blocked::Quota => "quota",
        Blocked::Creation => "creation_failures",
        Blocked::Floor => "max_unavailable",
        Blocked::NotAllowed => "most_disruptive_allowed_action",
    }
}

/// `blocked_by` of what is not done at the end; absent when there is nothing to wait for.
pub const fn waits(hold: &Hold) -> Option<&'static str> {
    match hold {
        Hold::Stable { .. } | Hold::Over { .. } => None,
        Hold::Waiting { .. } => Some("health"),
        Hold::Opportunistic { .. } => Some("opportunistic"),
        Hold::Blocked { by, .. } => Some(blocked(*by)),
        Hold::Pause { .. } => Some("pause"),
    }
}

/// `reason` of a decision.
pub const fn why(why: &Why) -> &'static str {
    match why {
        Why::Missing { .. } => "below_size",
        Why::Surge { .. } => "max_surge",
        Why::Unavailable { .. } => "not_available",
        Why::Spare { .. } => "max_unavailable",
        Why::Surplus { .. } => "above_size",
        Why::Batch { .. } => "batch",
        Why::Replaced { .. } => "replacement_healthy",
        Why::Breach => "policy_breach",
    }
}

/// The platform as the document names it.
pub const fn platform(kind: &Kind) -> &'static str {
    match kind {
        Kind::Mig(_) => "mig",
        Kind::Vmss(_) => "vmss",
    }
}
