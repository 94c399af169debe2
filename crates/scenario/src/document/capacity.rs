//! Where tasks run: instances, what a task takes of them, a capacity provider, Fargate without capacity.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::record;
use crate::duration::Span;

record! {
    /// `capacity`: instances of a cluster, or when Fargate has none to give.
    record CapacityDoc {
        /// Instances of the cluster; tasks run on them and nowhere else.
        instances: Option<Vec<InstanceDoc>> = "instances",
        /// What one task takes.
        task: TaskNeeds = "task",
        /// A capacity provider with managed scaling; absent: nothing brings instances.
        provider: Option<ProviderDoc> = "provider",
        /// Spans without Fargate capacity.
        unavailable: Option<Vec<OutageDoc>> = "unavailable",
    }
}

record! {
    /// Some equal instances.
    record InstanceDoc {
        /// How many, 1 to 2,000. Default 1.
        count: Option<i64> = "count",
        /// CPU units that the instance registers: 1 to 1,048,576. Default 2,048.
        cpu: Option<i64> = "cpu",
        /// Memory in MiB that it registers: 1 to 33,554,432. Default 4,096.
        memory: Option<i64> = "memory",
        /// Network interfaces for tasks (`awsvpc`): 0 and up. Default: no limit.
        interfaces: Option<i64> = "interfaces",
        /// Zone, 0 to 2. Default: in turn.
        zone: Option<i64> = "zone",
        /// What other services use there.
        used: UsedDoc = "used",
        /// They register then. Default: at 0.
        at: Option<Span> = "at",
    }
}

record! {
    /// What other services use of an instance.
    member UsedDoc {
        /// CPU units. Default 0.
        cpu: Option<i64> = "cpu",
        /// Memory in MiB. Default 0.
        memory: Option<i64> = "memory",
        /// Network interfaces. Default 0.
        interfaces: Option<i64> = "interfaces",
        /// Host ports.
        ports: Option<Vec<i64>> = "hostPorts",
    }
}

record! {
    /// What one task takes of its instance.
    member TaskNeeds {
        /// CPU units, 0 and up. Default 256.
        cpu: Option<i64> = "cpu",
        /// Memory in MiB, 0 and up. Default 512.
        memory: Option<i64> = "memory",
        /// `bridge` (default), `host`, `awsvpc` or `none`.
        network_mode: Option<String> = "networkMode",
        /// Fixed host ports, 1 to 65,535 each; dynamic ones are left out.
        ports: Option<Vec<i64>> = "hostPorts",
    }
}

record! {
    /// A capacity provider whose Auto Scaling group brings instances for tasks that wait.
    record ProviderDoc {
        /// What it brings; zones in turn. Default: as the first instance, without what others use.
        instance: Option<InstanceDoc> = "instance",
        /// Most instances of the cluster. Default: no limit but the simulator's 2,000.
        max: Option<i64> = "max",
        /// From the order of an instance to its registration. Default: `service.managedScaling.instanceWarmupPeriod`, or 5m.
        arrives_after: Option<Span> = "arrives_after",
        /// Spans in which Amazon EC2 has no such instance to give.
        unavailable: Option<Vec<OutageDoc>> = "unavailable",
    }
}

record! {
    /// A span of time without capacity.
    record OutageDoc {
        /// It begins. Default: at 0.
        from: Option<Span> = "from",
        /// It is over. Default: never.
        until: Option<Span> = "until",
    }
}
