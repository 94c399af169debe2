//! The scenarios the page offers: the folders of `tests/scenarios/`, in each group in the order of their numbers, and
//! behind them those of the other platforms.
//!
//! A folder also holds what is expected of the run; `tests/tests/scenarios.rs` compares. The texts
//! below are the documents' own `title` and `notes`, apart so that a list needs no reading of JSON.

pub use crate::preset_group::PresetGroup;
use crate::presets_instance_refresh::INSTANCE_REFRESH;
use crate::presets_kubernetes::KUBERNETES;
use crate::presets_machine_groups::MACHINE_GROUPS;
use crate::presets_placed::PLACED;

/// A scenario to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Where it stands in the list.
    pub group: PresetGroup,
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
        Preset::all().find(|preset| preset.id == id)
    }

    /// Those of every platform, in the order in which they are offered.
    pub fn all() -> impl Iterator<Item = &'static Preset> {
        PRESETS.iter().chain(KUBERNETES).chain(PLACED).chain(INSTANCE_REFRESH).chain(MACHINE_GROUPS)
    }
}

macro_rules! preset {
    ($group:ident, $number:literal, $id:literal, $title:literal, $lead:literal) => {
        Preset {
            group: PresetGroup::$group,
            id: $id,
            title: $title,
            lead: $lead,
            document: include_str!(concat!("../../../tests/scenarios/", $number, "-", $id, "/scenario.json")),
        }
    };
}

/// All presets of Amazon ECS, in the order in which they are offered.
pub const PRESETS: &[Preset] = &[
    preset!(
        Limits,
        "01",
        "all-at-once",
        "All at once",
        "The default: a whole new set starts beside the old one, which stops once the new one is healthy."
    ),
    preset!(
        Limits,
        "02",
        "half-at-a-time",
        "Half at a time",
        "Two tasks are replaced at a time, at full strength throughout."
    ),
    preset!(
        Limits,
        "03",
        "stop-half-first",
        "Half stops first",
        "No extra task ever runs: two old ones stop to make room, and the service runs at half strength."
    ),
    preset!(
        Limits,
        "04",
        "stop-all-first",
        "All stop first",
        "A short outage: all old tasks stop, then all new ones start."
    ),
    preset!(
        Limits,
        "05",
        "refused",
        "Refused",
        "100/100 leaves no room in either direction, and the service refuses it."
    ),
    preset!(Limits, "06", "stuck", "Stuck", "What would happen with 100/100 if the service accepted it: nothing."),
    preset!(
        Limits,
        "07",
        "one-at-a-time",
        "One at a time",
        "Four rounds, each with its own wait for health checks and draining."
    ),
    preset!(
        Limits,
        "08",
        "single-task",
        "A single task",
        "One and a half tasks are rounded down to one: it is accepted and cannot move."
    ),
    preset!(
        Limits,
        "09",
        "rounded-up",
        "Rounded up",
        "Three quarters of two tasks are rounded up to both: none may stop early."
    ),
    preset!(
        Limits,
        "10",
        "rounded-down",
        "Rounded down",
        "Three tasks and a quarter are rounded down to three: not one may start."
    ),
    preset!(
        Limits,
        "81",
        "same-again",
        "The same again",
        "Nothing is new and all tasks are replaced: a forced deployment, or a change of the network, rolls the same revision out once more."
    ),
    preset!(
        Limits,
        "82",
        "both-checks",
        "Both checks",
        "A container check and a target group: a task is healthy when the slower of the two has passed as well."
    ),
    preset!(
        Pace,
        "11",
        "slow-rounds",
        "Slow rounds",
        "Four rounds, each with 150 seconds of checks and 300 seconds of draining: four ways out follow."
    ),
    preset!(
        Pace,
        "12",
        "shorter-drain",
        "Shorter drain",
        "Slow rounds with a deregistration delay of 30 seconds: what is still open then is cut."
    ),
    preset!(
        Pace,
        "13",
        "faster-checks",
        "Faster checks",
        "Slow rounds with two checks ten seconds apart in place of five that are thirty seconds apart."
    ),
    preset!(
        Pace,
        "14",
        "higher-maximum",
        "Higher maximum",
        "Slow rounds with a maximum of 200 %: one round for everything."
    ),
    preset!(
        Pace,
        "15",
        "fewer-rounds",
        "Fewer rounds",
        "Slow rounds with a minimum of 50 %: old tasks leave while new ones start, at half strength for a while."
    ),
    preset!(
        Pace,
        "16",
        "slow-start",
        "Slow start",
        "The application answers only after three minutes; the grace period hides its failed checks until then."
    ),
    preset!(
        Pace,
        "17",
        "jitter",
        "Jitter",
        "Start-up and draining differ from task to task, so the rounds come apart."
    ),
    preset!(
        Pace,
        "86",
        "drain-too-short",
        "A drain too short",
        "One request in ten takes a minute, and an old task has ten seconds to end them: what is open then is cut off."
    ),
    preset!(
        Breaker,
        "18",
        "breaker-trips",
        "Breaker trips",
        "Three failures of three kinds, one count: the breaker trips and the old revision stays."
    ),
    preset!(
        Breaker,
        "19",
        "threshold",
        "Thirteen of 25",
        "Half of 25 tasks, rounded up, are 13 failures: the breaker waits for the thirteenth."
    ),
    preset!(
        Breaker,
        "19a",
        "threshold-one",
        "Three of one",
        "Half of one task would be one failure; the default type never trips before the third."
    ),
    preset!(
        Breaker,
        "19b",
        "threshold-400",
        "Half of 400",
        "Half of 400 tasks are 200 failures, just as many as the default type counts at most."
    ),
    preset!(
        Breaker,
        "20",
        "threshold-capped",
        "Capped at 200",
        "Half of 800 tasks would be 400 failures; the default type stops counting at 200."
    ),
    preset!(
        Breaker,
        "21",
        "intermittent",
        "Intermittent failures",
        "Eight failures and no rollback: a healthy task sets the count back to 0, and the rollout completes."
    ),
    preset!(
        Breaker,
        "22",
        "intermittent-counted",
        "No reset",
        "The same failures under COUNT 5 with resetOnHealthyTask false: they add up, and the fifth one trips the breaker."
    ),
    preset!(
        Breaker,
        "23",
        "one-two-three",
        "Deployment 1, 2, 3",
        "A third deployment begins while the second is rolled back, fails as well, and has nothing to go back to."
    ),
    preset!(
        Breaker,
        "24",
        "first-deployment",
        "First deployment",
        "Rollback is on, and there is nothing to go back to: the first deployment of a service stays FAILED."
    ),
    preset!(
        Breaker,
        "25",
        "eighteen-minutes",
        "18 minutes to trip",
        "One task, three failures, 18 minutes: most of the time goes into waiting for the failed task to leave."
    ),
    preset!(
        Breaker,
        "26",
        "alarm-in-bake",
        "Alarm in the bake",
        "All tasks are healthy and 5 % of the answers are bad: only an alarm sees that, after the old tasks have gone."
    ),
    preset!(
        Breaker,
        "67",
        "alarm-already-red",
        "Already in alarm",
        "One alarm is in ALARM before the deployment begins: ECS ignores all of them, and nothing guards it."
    ),
    preset!(
        Breaker,
        "68",
        "old-task-dies",
        "An old task dies",
        "No new task gets healthy. The old one that is lost comes back as the old revision, and a larger desired count holds for both."
    ),
    preset!(
        Breaker,
        "79",
        "unbounded",
        "400 of 800",
        "Half of 800 tasks without the cap: UNBOUNDED_PERCENT waits for 400 failures, twice as many as the default type."
    ),
    preset!(
        Breaker,
        "79a",
        "latest-count",
        "Scaled in",
        "12 of 20 failures, then the service is scaled in: the threshold follows the latest count, and the breaker trips."
    ),
    preset!(
        EarlySuccess,
        "27",
        "early-blocking",
        "90 of 100, BLOCKING",
        "90 of 100 are enough, but the success waits until the old tasks are gone; ten more start later, unprotected."
    ),
    preset!(
        EarlySuccess,
        "28",
        "early-deferred",
        "90 of 100, DEFERRED",
        "The same rollout is SUCCESSFUL 20 minutes earlier, while all the old tasks still finish their requests."
    ),
    preset!(
        EarlySuccess,
        "29",
        "early-renewed",
        "Protected for ever",
        "DEFERRED, and one old task renews its scale-in protection for ever: after 14 days ECS gives up on it."
    ),
    preset!(
        EarlySuccess,
        "30",
        "early-tail",
        "The 95th task",
        "Beyond the border one task fails for ever: it is replaced by the same revision, and nothing rolls back."
    ),
    preset!(
        EarlySuccess,
        "31",
        "early-relaxed",
        "Two relaxations",
        "Half is enough and 50 failures are fine: a third of the new tasks never works, and the rollout is a success."
    ),
    preset!(
        EarlySuccess,
        "32",
        "early-recommended",
        "90 % and COUNT 5",
        "The same fault with the setting that the article recommends: five failures, and the old revision is back."
    ),
    preset!(
        EarlySuccess,
        "76",
        "blocking-protected",
        "Held by protection",
        "BLOCKING waits for one protected old task: CloudFormation gives up after 3 hours, the success comes two days later."
    ),
    preset!(
        EarlySuccess,
        "77",
        "three-tasks",
        "Half of three",
        "In a small service a point is a task: the gate is 2 of 3, and nothing is gained, since all three are healthy at once."
    ),
    preset!(
        EarlySuccess,
        "78",
        "no-interval",
        "No interval left",
        "With the default minimum of 100 % nothing lies between minimum and 100: 90 % for an early success is refused."
    ),
    preset!(
        EarlySuccess,
        "79b",
        "alarm-too-late",
        "Alarm too late",
        "The alarm fires one minute after an early success: the bake time is over, and nothing rolls back any more."
    ),
    preset!(
        Workers,
        "33",
        "worker-unseen",
        "Worker, unseen",
        "Without a health check 40 seconds of RUNNING are healthy: COMPLETED, and the workers die every minute."
    ),
    preset!(
        Workers,
        "34",
        "worker-watchdog",
        "Worker, watchdog",
        "Workers that crash, and old ones that finish their job: a watchdog and a deploy tool that reads along tell somebody before the success."
    ),
    preset!(
        Workers,
        "35",
        "worker-check",
        "Worker with check",
        "The same workers with a container health check: now the exits count, and the third one rolls back."
    ),
    preset!(
        Workers,
        "36",
        "boot-gate",
        "Boot gate refuses",
        "New code meets an old schema and exits at boot, before it serves anybody; the breaker brings the old code back."
    ),
    preset!(
        Workers,
        "37",
        "boot-gate-rollback",
        "Rollback passes",
        "The migration is applied, the new code fails, and the old code boots on the newer schema: the gate lets it pass."
    ),
    preset!(
        Workers,
        "73",
        "worker-gate",
        "Gate, no check",
        "A worker refuses to boot on the old schema: nobody counts it, nothing rolls back, and only the watchdog tells."
    ),
    preset!(
        Workers,
        "74",
        "nobody-told",
        "Nobody is told",
        "The same crash loop in a cluster without an alertsTopic: log and metric know each exit, and no alarm tells anybody."
    ),
    preset!(
        Workers,
        "75",
        "opted-out",
        "Opted out",
        "A web service with alarms false: its stops are logged, no alarm counts them, and the breaker acts all the same."
    ),
    preset!(
        Waits,
        "38",
        "grace-120",
        "Grace 120 s",
        "The application needs 165 seconds to be healthy and gets 120: every task is killed just before, for ever."
    ),
    preset!(
        Waits,
        "39",
        "grace-150",
        "Grace 150 s",
        "150 seconds are still too few; with the circuit breaker on the loop ends at the third failure."
    ),
    preset!(
        Waits,
        "40",
        "grace-180",
        "Grace 180 s",
        "180 seconds are enough: the failed checks are hidden, and the tasks are healthy before anybody looks."
    ),
    preset!(
        Waits,
        "41",
        "pipeline-gives-up",
        "Pipeline gives up",
        "Two rounds of 8 and a half minutes; the waiter of the command line gives up after 9 minutes 45 seconds."
    ),
    preset!(
        Waits,
        "66",
        "grace-is-no-shield",
        "Grace is no shield",
        "No rollout runs: the only task fails its check, and its replacement fails too while its grace period still hides it."
    ),
    preset!(
        Room,
        "42",
        "daemon-defaults",
        "A daemon's defaults",
        "One task an instance and no place for a second: all of them stop, then all start, with a gap on every instance."
    ),
    preset!(
        Room,
        "43",
        "full-cluster",
        "Full cluster",
        "The ceiling would allow four more tasks, but no instance has the CPU for one."
    ),
    preset!(
        Room,
        "44",
        "full-cluster-half",
        "Full cluster at 50/100",
        "The way out without an instance more: two old tasks stop first and free their room."
    ),
    preset!(
        Room,
        "45",
        "fixed-port",
        "A fixed host port",
        "One task on one instance, port 30000: the new task would need the port that the old one holds."
    ),
    preset!(
        Room,
        "46",
        "fixed-port-three",
        "Ports on three instances",
        "Three tasks on three instances, port 8080: as many tasks as instances leave no port for a new one."
    ),
    preset!(
        Room,
        "47",
        "fixed-port-66",
        "Ports at 66 %",
        "66 % of three tasks are 1.98, rounded up to 2: one stops, its port is free, one starts, three times."
    ),
    preset!(
        Room,
        "48",
        "fixed-port-67",
        "Ports at 67 %",
        "67 % of three tasks are 2.01, rounded up to 3: not one may stop, and it is stuck again."
    ),
    preset!(
        Room,
        "49",
        "ninety-nine",
        "Room for one more",
        "99 tasks and room for 100: the ceiling of 198 means nothing, it takes 99 rounds."
    ),
    preset!(
        Room,
        "50",
        "scaling",
        "Capacity provider",
        "The cluster is full, so the four new tasks wait in PROVISIONING while two instances are brought."
    ),
    preset!(
        Room,
        "51",
        "daemon-one-node",
        "A daemon on one node",
        "The console's 50 % of one task is that one task: it may not stop, and there is no place for a second."
    ),
    preset!(
        Room,
        "52",
        "drain-instance",
        "Draining an instance",
        "Two tasks have to leave: their replacements start elsewhere first, inside the same two limits."
    ),
    preset!(
        Room,
        "53",
        "template",
        "An old desired count",
        "Autoscaling runs ten tasks, the template says one: deploying it stops nine at once."
    ),
    preset!(
        Room,
        "54",
        "long-drain",
        "Held by the leaving",
        "A task that fails its check drains for half an hour and holds the machine: its replacement finds no room."
    ),
    preset!(
        Room,
        "55",
        "room-for-eight",
        "Room for eight",
        "Six tasks, a ceiling of twelve and room for eight: start two, stop two, three times."
    ),
    preset!(
        Room,
        "69",
        "ninety-nine-at-once",
        "Twice the cluster",
        "The same 99 tasks with twice the instances: all start at once, and two minutes take the place of three hours."
    ),
    preset!(
        Room,
        "70",
        "daemon-four-nodes",
        "A daemon on four nodes",
        "With four instances 50 % lets two tasks stop: two nodes at a time have a gap, and two go on."
    ),
    preset!(
        Room,
        "80",
        "rebalance",
        "Back to three zones",
        "An instance is lost with its zone. Once one is there again, rebalancing moves two tasks, one after the other, each started before another stops."
    ),
    preset!(
        Room,
        "83",
        "twice-the-bill",
        "Twice the tasks",
        "On Fargate there is always room: the defaults pay for twice the tasks, most of the time for old ones that drain."
    ),
    preset!(
        Room,
        "84",
        "dynamic-port",
        "A dynamic host port",
        "The same task on the same instance, port 0: any free port will do, and the new task starts beside the old one."
    ),
    preset!(
        Room,
        "85",
        "room-later",
        "Room comes later",
        "A full cluster, and nobody brings instances by themselves: the deployment waits for ten minutes, until somebody adds one."
    ),
    preset!(
        Room,
        "93",
        "load-in-mid-rollout",
        "Load in mid-rollout",
        "The load doubles while tasks are replaced one by one. Three minutes later target tracking asks for eight of them."
    ),
    preset!(
        Room,
        "94",
        "awsvpc",
        "One interface a task",
        "In awsvpc mode each task takes a network interface. Two instances have CPU for sixteen tasks and interfaces for four."
    ),
    preset!(
        Room,
        "95",
        "fargate-outage",
        "No Fargate capacity",
        "Two tasks stop first, and Fargate has nothing to give for five minutes: half of the service does all the work."
    ),
    preset!(
        Shifting,
        "56",
        "rolled",
        "Rolling update",
        "The service of the next three examples in the ordinary way: each new task answers as soon as it is healthy."
    ),
    preset!(
        Shifting,
        "57",
        "blue-green",
        "Blue and green",
        "A second set of tasks stands by, all traffic moves at once, and the old set waits for 15 minutes in case it has to come back."
    ),
    preset!(
        Shifting,
        "58",
        "linear",
        "Linear",
        "A fifth of the traffic moves every ten minutes: 55 of 56 minutes are waiting, with both sets of tasks running all the time."
    ),
    preset!(
        Shifting,
        "59",
        "canary",
        "Canary",
        "A tenth of the traffic goes first; ten minutes later the rest follows."
    ),
    preset!(
        Shifting,
        "60",
        "canary-alarm",
        "Canary and alarm",
        "One answer in twenty is bad: a tenth of the traffic is enough for the alarm, and the old tasks never stopped."
    ),
    preset!(
        Shifting,
        "61",
        "linear-pause",
        "Linear with pauses",
        "Before each half of the traffic moves somebody has to say so: two pauses, each with an answer of its own."
    ),
    preset!(
        Shifting,
        "62",
        "headless",
        "Headless",
        "A worker without a load balancer: nothing steers the traffic, but the stages, a smoke test and the way back are there."
    ),
    preset!(
        Shifting,
        "63",
        "smoke-test",
        "Smoke test fails",
        "Test traffic reaches the new tasks first; the function that tries them says FAILED, and no visitor ever saw them."
    ),
    preset!(
        Shifting,
        "64",
        "pause-forgotten",
        "Forgotten pause",
        "Nobody answers the pause: after a day it times out and the deployment is rolled back."
    ),
    preset!(
        Shifting,
        "65",
        "day-in-scale-up",
        "A day in SCALE_UP",
        "The image cannot be pulled and nothing watches: SCALE_UP ends after 24 hours, and the traffic never moved."
    ),
];
