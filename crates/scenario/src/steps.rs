//! Narrated steps: sentences bound to what happens in a run, never to a fixed time.
//!
//! A list of steps is data, so that people who write scenarios write their steps too:
//!
//! ```json
//! [ { "when": "first_failure", "text": { "en": "The first failure counts." } },
//!   { "when": "failure:3", "text": { "en": "The third one trips the breaker." } } ]
//! ```
//!
//! `insight::chapter` finds the moment of each one. docs/scenario.md lists the names.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::json::{self, Value};

/// Most steps in one list.
pub const STEPS_MAX: usize = 100;
/// Longest sentence in characters.
pub const TEXT_MAX: usize = 1_000;

/// One sentence and the moment it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When it is said.
    pub when: When,
    /// The sentence by language (`en`), in the order of the file; at least one.
    pub texts: Vec<(String, String)>,
}

impl Step {
    /// The sentence in a language, or in the first one there is.
    pub fn text(&self, language: &str) -> &str {
        let own = self.texts.iter().find(|(name, _)| name == language);
        own.or(self.texts.first()).map_or("", |(_, text)| text)
    }
}

/// A moment of a run by what happens in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// Time 0: `start`.
    Start,
    /// The end of the run: `end`.
    End,
    /// Something happens for the n-th time, from 1: `trip`, `first_failure`, `failure:3`.
    Nth(Happening, u32),
}

macro_rules! happenings {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What a step can wait for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Happening {
            $($(#[$doc])* $name,)*
        }

        impl Happening {
            /// All of them.
            pub const ALL: &[Happening] = &[$(Happening::$name,)*];

            /// Its name in a list of steps.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Happening::$name => $text,)*
                }
            }
        }
    };
}

happenings! {
    /// A task is started.
    TaskStart = "start",
    /// A task reaches RUNNING.
    TaskRunning = "running",
    /// A task becomes healthy.
    TaskHealthy = "healthy",
    /// The stop of a task is decided.
    TaskStop = "stop",
    /// A failure that the circuit breaker counts.
    Failure = "failure",
    /// A failure that it does not count, or that nothing watches.
    Uncounted = "uncounted",
    /// A healthy task sets the count back to 0.
    Reset = "reset",
    /// The count reaches the threshold.
    Trip = "trip",
    /// An alarm that the service lists goes to ALARM.
    Alarm = "alarm",
    /// The task-stop watchdog raises its alarm.
    WatchdogAlarm = "watchdog_alarm",
    /// A rollback begins.
    RollbackBegins = "rollback_begins",
    /// A rollback is done: ROLLBACK_SUCCESSFUL.
    RolledBack = "rolled_back",
    /// A rollback is wanted, and there is nothing to go back to: ROLLBACK_FAILED.
    Stalled = "stalled",
    /// Early success: enough new tasks are healthy.
    Gate = "gate",
    /// The bake time begins.
    BakeBegins = "bake_begins",
    /// A service deployment is SUCCESSFUL.
    Success = "success",
    /// Automatic rollback does not protect the deployment from here on.
    Border = "border",
    /// A new task is started beyond the border.
    UnprotectedStart = "unprotected_start",
    /// Nothing but protected tasks is left to stop.
    ProtectedWait = "protected_wait",
    /// The last task that was there at time 0, or was started in place of one, is STOPPED.
    OldGone = "gone_old",
    /// DEFERRED clean-up is given up.
    CleanupGivenUp = "cleanup_given_up",
    /// Floor and ceiling leave no way to move.
    Stuck = "stuck",
    /// The ServicesStable waiter that was started with the deployment gives up.
    WaiterGivesUp = "waiter_gives_up",
    /// CloudFormation has waited three hours for a service deployment and gives up.
    StackGivesUp = "cloudformation_gives_up",
    /// A task that failed stopped an hour ago: DescribeTasks does not answer about it any more.
    Forgotten = "forgotten",
    /// An act of the document (or made by hand) is carried out.
    Act = "act",
    /// Target tracking sets another desired count.
    Scaled = "scaled",
    /// Kubernetes: `ProgressDeadlineExceeded` is reported.
    Deadline = "deadline",
    /// Kubernetes: the API server refuses to create a Pod (`FailedCreate`).
    Refused = "refused",
    /// Kubernetes: no node has room for a Pod (`FailedScheduling`).
    Unschedulable = "unschedulable",
    /// Kubernetes: a Pod that was ready is not ready any more.
    Unready = "unready",
    /// Kubernetes: a container starts again.
    Restart = "restart",
    /// EC2 Auto Scaling: a checkpoint of the instance refresh is reached.
    Checkpoint = "checkpoint",
    /// EC2 Auto Scaling: the instance refresh is Failed, or RollbackFailed.
    RefreshFails = "refresh_fails",
}

impl When {
    /// Reads `start`, `end`, `NAME`, `first_NAME` or `NAME:N`.
    pub fn parse(text: &str) -> Option<When> {
        match text {
            "start" => return Some(When::Start),
            "end" => return Some(When::End),
            _ => {}
        }
        let (name, n) = match text.split_once(':') {
            Some((name, n)) if n.bytes().all(|b| b.is_ascii_digit()) => (name, n.parse().ok().filter(|n| *n > 0)?),
            Some(_) => return None,
            None => (text.strip_prefix("first_").unwrap_or(text), 1),
        };
        let happening = Happening::ALL.iter().find(|happening| happening.name() == name)?;
        Some(When::Nth(*happening, n))
    }

    /// As it is written; [`When::parse`] reads it again.
    pub fn name(self) -> String {
        match self {
            When::Start => "start".to_owned(),
            When::End => "end".to_owned(),
            When::Nth(happening, 1) => format!("first_{}", happening.name()),
            When::Nth(happening, n) => format!("{}:{n}", happening.name()),
        }
    }
}

/// Reads a list of steps; what is wrong with it, in words, otherwise.
pub fn read(text: &str) -> Result<Vec<Step>, String> {
    let parsed = json::read(text).map_err(|fault| format!("not JSON: {fault:?}"))?;
    let list = parsed.value.as_array().ok_or("a list of steps was expected")?;
    if list.len() > STEPS_MAX {
        return Err(format!("at most {STEPS_MAX} steps"));
    }
    list.iter().enumerate().map(|(i, value)| step(value).map_err(|what| format!("step {}: {what}", i + 1))).collect()
}

fn step(value: &Value) -> Result<Step, String> {
    let fields = value.as_object().ok_or("an object with \"when\" and \"text\" was expected")?;
    if let Some((key, _)) = fields.iter().find(|(key, _)| key != "when" && key != "text") {
        return Err(format!("unknown key {key:?}"));
    }
    let when = value.get("when").and_then(Value::as_str).ok_or("\"when\" is missing")?;
    let when = When::parse(when).ok_or_else(|| format!("{when:?} is no moment"))?;
    let texts = value.get("text").and_then(Value::as_object).ok_or("\"text\" is missing")?;
    let text = |(language, text): &(String, Value)| {
        let text = text.as_str().filter(|text| !text.is_empty() && text.chars().count() <= TEXT_MAX);
        let text = text.ok_or_else(|| format!("text in {language:?}: 1 to {TEXT_MAX} characters"))?;
        Ok((language.clone(), text.to_string()))
    };
    let texts = texts.iter().map(text).collect::<Result<Vec<_>, String>>()?;
    if texts.is_empty() {
        return Err("a text in one language at least".to_owned());
    }
    Ok(Step { when, texts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_name() {
        let table = [
            ("start", Some(When::Start)),
            ("end", Some(When::End)),
            ("first_start", Some(When::Nth(Happening::TaskStart, 1))),
            ("first_failure", Some(When::Nth(Happening::Failure, 1))),
            ("failure:3", Some(When::Nth(Happening::Failure, 3))),
            ("trip", Some(When::Nth(Happening::Trip, 1))),
            ("trip:2", Some(When::Nth(Happening::Trip, 2))),
            ("act:1", Some(When::Nth(Happening::Act, 1))),
            ("failure:0", None),
            ("failure:+3", None),
            ("failure:", None),
            ("first_failure:2", None),
            ("first_end", None),
            ("35s", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(When::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn every_name_reads_back() {
        for happening in Happening::ALL {
            for n in [1, 2, u32::MAX] {
                let when = When::Nth(*happening, n);
                assert_eq!(When::parse(&when.name()), Some(when), "{}", when.name());
            }
        }
        for when in [When::Start, When::End] {
            assert_eq!(When::parse(&when.name()), Some(when));
        }
    }

    #[test]
    fn a_list_with_languages() {
        let steps = read(r#"[{"when":"trip","text":{"en":"It trips.","de":"Er löst aus."}}]"#).unwrap();
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].when, When::Nth(Happening::Trip, 1));
        assert_eq!((steps[0].text("de"), steps[0].text("fr")), ("Er löst aus.", "It trips."));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let table = [
            ("{}", "a list of steps"),
            ("[1]", "step 1: an object"),
            (r#"[{"text":{"en":"a"}}]"#, "\"when\" is missing"),
            (r#"[{"when":"9s","text":{"en":"a"}}]"#, "\"9s\" is no moment"),
            (r#"[{"when":"trip"}]"#, "\"text\" is missing"),
            (r#"[{"when":"trip","text":{}}]"#, "one language"),
            (r#"[{"when":"trip","text":{"en":""}}]"#, "1 to 1000 characters"),
            (r#"[{"when":"trip","text":{"en":"a"},"at":"9s"}]"#, "unknown key \"at\""),
            ("[", "not JSON"),
        ];
        for (text, expected) in table {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        }
    }
}
