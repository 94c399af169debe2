//! What an answer of `describe-services` says it did not find.

use rollscope_scenario::json::Value;
use rollscope_scenario::problem::{Kind, Problem};

use crate::pieces::{Piece, Pieces};

/// What to do about a service that is not in the answer.
const WAY_OUT: &str = "check --cluster (without it the cluster \"default\" is asked), --services, the region and the \
                       account, then paste the new answer";

/// The services that were not found, each with the reason of the API: `orders (MISSING)`.
pub fn not_found(pieces: &Pieces) -> Vec<String> {
    let failures = pieces.all.iter().filter_map(|piece| answer(piece)?.get("failures")?.as_array()).flatten();
    failures.map(one).collect()
}

/// The answer holds no service at all.
pub fn nothing_there(pieces: &Pieces) -> Option<Problem> {
    let piece = pieces.all.iter().find(|piece| answer(piece).is_some())?;
    let given = match not_found(pieces).as_slice() {
        [] => "the answer lists no service".to_string(),
        missing => format!("ECS did not find {}", missing.join(", ")),
    };
    let mut problem = Problem::error(Kind::Missing, "/services", given, WAY_OUT);
    problem.position = piece.position("/services");
    Some(problem)
}

/// The value, if it is such an answer.
fn answer(piece: &Piece) -> Option<&Value> {
    Some(piece.value()).filter(|value| value.get("services").is_some_and(|services| services.as_array().is_some()))
}

fn one(failure: &Value) -> String {
    let text = |key: &str| failure.get(key).and_then(Value::as_str);
    let arn = text("arn").unwrap_or("a service");
    let name = arn.rsplit('/').next().unwrap_or(arn);
    let reason = text("reason").unwrap_or("no reason given");
    match text("detail") {
        Some(detail) => format!("{name} ({reason}: {detail})"),
        None => format!("{name} ({reason})"),
    }
}
