//! What others see of a run at a moment: the service's own APIs, the event bus, a waiter, a
//! pipeline. All of it follows from the records and the state at that moment.

pub mod ledger;
pub mod waiter;

pub use ledger::{DeploymentStatus, Ledger, LedgerDeployment};
pub use waiter::{Waiter, WaiterEnd, waiter};
