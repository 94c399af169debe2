//! `service` has another shape on another platform. In the tree it is one key; in the document each platform
//! has a member of its own, and the platform says which one is read and written.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use super::{asg, kubernetes, machines, placed};
use crate::json::{Value, pointer_join};
use crate::problem::Problem;

/// Each platform with a member of its own, and the key of that member.
const MEMBERS: [(&str, &str); 6] = [
    (kubernetes::DEPLOYMENT, kubernetes::KEY),
    (placed::STATEFUL_SET, placed::STATEFUL_KEY),
    (placed::DAEMON_SET, placed::DAEMON_KEY),
    (asg::REFRESH, asg::KEY),
    (machines::MIG, machines::MIG_KEY),
    (machines::VMSS, machines::VMSS_KEY),
];

/// The tree as the reader wants it: `service` under the key of its platform.
pub(super) fn inward(tree: &Value) -> Cow<'_, Value> {
    let Value::Object(entries) = tree else { return Cow::Borrowed(tree) };
    let platform = tree.get("platform").and_then(Value::as_str);
    let Some((_, own)) = MEMBERS.iter().find(|(name, _)| Some(*name) == platform) else {
        return Cow::Borrowed(tree);
    };
    let key = |key: &String| if key == "service" { (*own).to_string() } else { key.clone() };
    Cow::Owned(Value::Object(entries.iter().map(|(name, value)| (key(name), value.clone())).collect()))
}

/// The pointers of problems as people know them.
pub(super) fn outward(problems: &mut [Problem]) {
    for (_, own) in MEMBERS {
        let inner = pointer_join("", own);
        for problem in problems.iter_mut() {
            if let Some(rest) = problem.field.strip_prefix(inner.as_str()) {
                problem.field = alloc::format!("/service{rest}");
            }
        }
    }
}

/// A key of the tree as people know it.
pub(super) fn outward_key(key: String) -> String {
    let own = MEMBERS.iter().any(|(_, own)| *own == key);
    if own { "service".to_string() } else { key }
}
