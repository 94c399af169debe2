//! The scenarios the page offers: the folders of `tests/scenarios/`, in the order of their numbers.
//!
//! A folder also holds what is expected of the run; `tests/tests/scenarios.rs` compares. The texts
//! below are the documents' own `title` and `notes`, apart so that a list needs no reading of JSON.

/// A scenario to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The folder's name without its number: small letters and hyphens.
    pub id: &'static str,
    /// Two or three words.
    pub title: &'static str,
    /// One sentence: what there is to see.
    pub lead: &'static str,
    /// The scenario document, as JSON.
    pub document: &'static str,
}

impl Preset {
    /// The preset of that name.
    pub fn find(id: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.id == id)
    }
}

macro_rules! preset {
    ($number:literal, $id:literal, $title:literal, $lead:literal) => {
        Preset {
            id: $id,
            title: $title,
            lead: $lead,
            document: include_str!(concat!("../../../tests/scenarios/", $number, "-", $id, "/scenario.json")),
        }
    };
}

/// All presets, in the order in which they are offered.
pub const PRESETS: &[Preset] = &[
    preset!(
        "01",
        "all-at-once",
        "All at once",
        "The default: a whole new set starts beside the old one, which stops once the new one is healthy."
    ),
    preset!("02", "half-at-a-time", "Half at a time", "Two tasks are replaced at a time, at full strength throughout."),
    preset!(
        "03",
        "stop-half-first",
        "Half stops first",
        "No extra task ever runs: two old ones stop to make room, and the service runs at half strength."
    ),
    preset!("04", "stop-all-first", "All stop first", "A short outage: all old tasks stop, then all new ones start."),
    preset!("05", "refused", "Refused", "100/100 leaves no room in either direction, and the service refuses it."),
    preset!("06", "stuck", "Stuck", "What would happen with 100/100 if the service accepted it: nothing."),
    preset!(
        "07",
        "one-at-a-time",
        "One at a time",
        "Four rounds, each with its own wait for health checks and draining."
    ),
    preset!(
        "08",
        "single-task",
        "A single task",
        "One and a half tasks are rounded down to one: it is accepted and cannot move."
    ),
    preset!(
        "09",
        "rounded-up",
        "Rounded up",
        "Three quarters of two tasks are rounded up to both: none may stop early."
    ),
    preset!(
        "10",
        "rounded-down",
        "Rounded down",
        "Three tasks and a quarter are rounded down to three: not one may start."
    ),
    preset!(
        "11",
        "slow-rounds",
        "Slow rounds",
        "Four rounds, each with 150 seconds of checks and 300 seconds of draining: four ways out follow."
    ),
    preset!(
        "12",
        "shorter-drain",
        "Shorter drain",
        "Slow rounds with a deregistration delay of 30 seconds: what is still open then is cut."
    ),
    preset!(
        "13",
        "faster-checks",
        "Faster checks",
        "Slow rounds with two checks ten seconds apart in place of five that are thirty seconds apart."
    ),
    preset!("14", "higher-maximum", "Higher maximum", "Slow rounds with a maximum of 200 %: one round for everything."),
    preset!(
        "15",
        "fewer-rounds",
        "Fewer rounds",
        "Slow rounds with a minimum of 50 %: old tasks leave while new ones start, at half strength for a while."
    ),
    preset!(
        "16",
        "slow-start",
        "Slow start",
        "The application answers only after three minutes; the grace period hides its failed checks until then."
    ),
    preset!("17", "jitter", "Jitter", "Start-up and draining differ from task to task, so the rounds come apart."),
];
