//! The shared tools of validation: ranges, names, required fields, defaults.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Defaulted, NotSimulated};
use crate::json::Value;
use crate::problem::{Kind, Problem, nearest_name, one_of, sort};

/// The error kind of the ECS service for a bad value.
pub const INVALID_PARAMETER: &str = "InvalidParameterException";
/// What the SDK or the command line says before anything is sent.
pub const CLIENT_SIDE: &str = "client-side validation error: missing required parameter";

/// Collects what validation finds.
#[derive(Default, Debug)]
pub struct Checker {
    pub problems: Vec<Problem>,
    pub defaulted: Vec<Defaulted>,
    pub not_simulated: Vec<NotSimulated>,
}

impl Checker {
    pub fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems;
        sort(&mut problems);
        problems
    }

    /// A combination or value the service refuses.
    pub fn refuse(&mut self, at: &str, given: impl ToString, allowed: &str, answer: &str) -> &mut Problem {
        let problem = Problem::error(Kind::Invalid, at, given.to_string(), allowed).with_service_error(answer);
        self.keep(problem)
    }

    /// Something the simulator cannot take, though a service might.
    pub fn invalid(&mut self, at: &str, given: impl ToString, allowed: &str) -> &mut Problem {
        self.keep(Problem::error(Kind::Invalid, at, given.to_string(), allowed))
    }

    fn keep(&mut self, problem: Problem) -> &mut Problem {
        self.problems.push(problem);
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    /// A required field that is absent.
    pub fn missing(&mut self, at: &str, allowed: &str, answer: Option<&str>) {
        let mut problem = Problem::error(Kind::Missing, at, "absent", allowed);
        problem.service_error = answer.map(ToString::to_string);
        self.push(problem);
    }

    /// Something worth knowing.
    pub fn advise(&mut self, at: &str, given: impl ToString, text: &str) {
        self.push(Problem::warning(Kind::Advice, at, given.to_string(), text));
    }

    /// Right, but not simulated: the run is refused with its own kind.
    pub fn not_available(&mut self, at: &str, given: &str, allowed: &str) -> &mut Problem {
        self.keep(Problem::error(Kind::NotAvailable, at, given, allowed))
    }

    /// Accepted, kept, without effect on the run.
    pub fn not_simulated(&mut self, at: &str, why: &str) {
        self.not_simulated.push(NotSimulated { field: at.to_string(), why: why.to_string() });
    }

    /// Notes a default that was filled in.
    pub fn default_used(&mut self, at: &str, value: impl Into<Value>) {
        self.defaulted.push(Defaulted { field: at.to_string(), value: value.into() });
    }

    /// A whole number in a range, or its default. `answer` is what the service says.
    pub fn number(
        &mut self,
        at: &str,
        value: Option<i64>,
        min: i64,
        max: i64,
        default: i64,
        answer: Option<&str>,
    ) -> i64 {
        match value {
            None => {
                self.default_used(at, default);
                default
            }
            Some(value) => self.in_range(at, value, min, max, answer),
        }
    }

    /// Checks a range and gives the nearest value inside it.
    pub fn in_range(&mut self, at: &str, value: i64, min: i64, max: i64, answer: Option<&str>) -> i64 {
        let near = value.clamp(min, max);
        if near != value {
            let no_top = max >= i64::from(u32::MAX) && value < min;
            let unit = unit(at);
            let bounds =
                if no_top { format!("{} or more", commas(min)) } else { format!("{} to {}", commas(min), commas(max)) };
            let problem = self.invalid(at, value, &format!("a whole number, {bounds}{unit}"));
            problem.nearest = Some(near.into());
            problem.service_error = answer.map(ToString::to_string);
        }
        near
    }

    /// Checks a range when the field is there; no default is noted.
    pub fn optional(&mut self, at: &str, value: Option<i64>, min: i64, max: i64, answer: Option<&str>) -> Option<i64> {
        value.map(|value| self.in_range(at, value, min, max, answer))
    }

    /// One of some names, or the default.
    pub fn name<'a>(
        &mut self,
        at: &str,
        value: Option<&str>,
        known: &[&'a str],
        default: &'a str,
        answer: Option<&str>,
    ) -> &'a str {
        let Some(value) = value else {
            self.default_used(at, default);
            return default;
        };
        self.one_name(at, value, known, answer).unwrap_or(default)
    }

    /// One of some names; `None` after a problem.
    pub fn one_name<'a>(&mut self, at: &str, value: &str, known: &[&'a str], answer: Option<&str>) -> Option<&'a str> {
        if let Some(name) = known.iter().find(|name| **name == value) {
            return Some(name);
        }
        let near: Option<String> = nearest_name(value, known.iter().copied()).map(ToString::to_string);
        let problem = self.invalid(at, format!("\"{value}\""), &one_of(known));
        problem.nearest = near.map(Value::from);
        problem.service_error = answer.map(ToString::to_string);
        None
    }
}
/// The unit that a field's name says, with a space before it; empty where it says none.
fn unit(at: &str) -> &'static str {
    let name = at.rsplit('/').next().unwrap_or_default();
    let ends = |words: &[&str]| words.iter().any(|word| name.ends_with(word));
    if ends(&["Seconds", "_seconds", "_s", "interval", "timeout", "Timeout", "startPeriod"]) {
        " s"
    } else if ends(&["InMinutes"]) {
        " min"
    } else if ends(&["Percent"]) {
        " %"
    } else {
        ""
    }
}

/// A whole number with a comma between thousands.
fn commas(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut out = if n < 0 { String::from("-") } else { String::new() };
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{commas, unit};

    #[test]
    fn ranges_have_commas_and_the_unit_of_their_field() {
        assert_eq!(
            [0, 999, 3_600, 2_147_483_647, -1_000].map(commas),
            ["0", "999", "3,600", "2,147,483,647", "-1,000"]
        );
        let cases = [
            ("/targetGroups/0/deregistration_delay.timeout_seconds", " s"),
            ("/containers/0/healthCheck/startPeriod", " s"),
            ("/readings/alarm_delay_s", " s"),
            ("/service/deploymentConfiguration/bakeTimeInMinutes", " min"),
            ("/service/deploymentConfiguration/maximumPercent", " %"),
            ("/service/desiredCount", ""),
            ("/containers/0/healthCheck/retries", ""),
        ];
        for (at, expected) in cases {
            assert_eq!(unit(at), expected, "{at}");
        }
    }
}
