//! What a deployment that shifts traffic meets: how its lifecycle hooks answer.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::record;
use crate::duration::Span;

record! {
    /// How a lifecycle hook of `deploymentConfiguration.lifecycleHooks` answers. Of several entries that
    /// fit a run the first one holds; a function without an entry answers `SUCCEEDED` at once.
    record HookDoc {
        /// Which hook: its place in `lifecycleHooks`, from 0. Default 0.
        hook: Option<i64> = "hook",
        /// Only at this stage; absent: at every one.
        stage: Option<String> = "stage",
        /// Only in the k-th run at its stage, from 1; absent: in every one.
        run: Option<i64> = "run",
        /// Its answers, call by call; the last one is given again and again. Required, at least one.
        answers: Option<Vec<HookAnswerDoc>> = "answers",
    }
}

record! {
    /// One answer of a function.
    record HookAnswerDoc {
        /// `SUCCEEDED`, `FAILED` or `IN_PROGRESS`. Required.
        status: Option<String> = "hookStatus",
        /// From the call to the answer. Default 0; after 15 minutes without one it has failed.
        after: Option<Span> = "after",
        /// Seconds until it is called again after `IN_PROGRESS`. Default 30.
        call_back: Option<i64> = "callBackDelay",
    }
}

record! {
    /// `advancedConfiguration` of a load balancer: the second target group and the listener rules.
    record AdvancedConfiguration {
        /// The target group of the other revision.
        alternate_target_group: Option<String> = "alternateTargetGroupArn",
        /// The rule whose weights move production traffic.
        production_rule: Option<String> = "productionListenerRule",
        /// The rule for test traffic; absent: there is no test traffic.
        test_rule: Option<String> = "testListenerRule",
        /// Role that moves the traffic.
        role: Option<String> = "roleArn",
    }
}
