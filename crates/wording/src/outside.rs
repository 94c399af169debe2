//! What was counted, where protection ends, and what others see, in the language of the product.
//! Functions of their own: what the first screen does not say is not part of its program.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Alarm;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ProtectionEnd;
use rollscope_engine::trace::DeploymentId;
use rollscope_insight::Failures;
use rollscope_insight::outside::{Signal, Trusts};

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::outside::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// How many failures trip the circuit breaker: "3 failures trip it".
    fn threshold(threshold: u32) -> String;
    /// How many healthy new tasks make an early success: "90 healthy new tasks are enough".
    fn gate(gate: u32) -> String;
    /// What was counted and what was not: "3 of 3 failures, 2 more not counted".
    fn counted(failures: &Failures) -> String;
    /// What the alarms of a service deployment did, and its bake time: "errors went to ALARM at 2:35 and failed it".
    /// Empty where no alarms are enabled.
    fn alarms(service: &ServiceDeployment, alarms: &[Alarm], found: &Failures) -> Vec<String>;
    /// Why automatic rollback does not protect any more: "the deployment is SUCCESSFUL".
    fn protection_end(why: ProtectionEnd) -> &'static str;
    /// When and why it ended: "ends at 1:40: the deployment is SUCCESSFUL".
    fn protection_ends(at: SimTime, why: ProtectionEnd) -> String;
    /// The deployment a failure would go back to: "r7, COMPLETED"; or that there is none.
    fn candidate(candidate: Option<(DeploymentId, u32)>) -> String;
    /// What a pipeline trusts: "the waiter".
    fn trusts(trusts: Trusts) -> &'static str;
    /// What a pipeline says, and whether it is true: "green at 1:45, though r7 is PRIMARY and not r8".
    fn signal(signal: &Signal, rolled_out: u32) -> String;
    /// The alarm of the task-stop watchdog: "alarm from 0:50 to 5:50".
    fn watchdog(from: SimTime, until: Option<SimTime>) -> String;
}
