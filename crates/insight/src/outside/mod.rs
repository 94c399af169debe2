//! What others see of a run at a moment: the service's own APIs, the event bus, a waiter, a
//! pipeline. All of it follows from the records and the state at that moment.

pub mod bus;
pub mod describe;
pub mod frozen;
pub mod gauges;
pub mod ledger;
pub mod own_alarms;
pub mod pipeline;
pub mod steady;
pub mod stopped;
pub mod tail;
pub mod texts;
pub mod trail;
pub mod waiter;

pub use bus::{BusEvent, BusEventKind, TaskEvents};
pub use describe::{Asked, api_at};
pub use frozen::{Frozen, frozen};
pub use gauges::{Gauges, gauges};
pub use ledger::{DeploymentStatus, Ledger, LedgerDeployment, StateReason};
pub use own_alarms::{OwnAlarm, OwnState, own_alarms};
pub use pipeline::{Colour, Misleads, Signal, Trusts, signals, stack_gives_up, worth_telling};
pub use steady::steady_moments;
pub use stopped::{StoppedTask, stopped_tasks};
pub use tail::{Tail, TailLine, tail};
pub use texts::Names;
pub use trail::{Call, calls};
pub use waiter::{Waiter, WaiterEnd, known_until, waiter};
