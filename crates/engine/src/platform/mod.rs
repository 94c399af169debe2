//! The rules of each platform. A platform is one variant; the compiler lists the rest.

pub mod asg;
pub mod daemonset;
pub mod ecs;
pub mod kubernetes;
pub mod mig;
pub mod statefulset;
pub mod vm;
pub mod vmss;

use alloc::boxed::Box;

/// Which platform runs, with its own configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlatformSettings {
    /// Amazon ECS, rolling update.
    Ecs(ecs::Params),
    /// Kubernetes Deployment.
    Kubernetes(Box<kubernetes::Params>),
    /// Kubernetes StatefulSet.
    StatefulSet(Box<statefulset::Params>),
    /// Kubernetes DaemonSet.
    DaemonSet(Box<daemonset::Params>),
    /// Amazon EC2 Auto Scaling group with an instance refresh.
    Asg(Box<asg::Params>),
    /// A group of virtual machines of Google Cloud or Azure.
    Vm(Box<vm::Params>),
}

impl PlatformSettings {
    /// The Amazon ECS configuration. On any other platform it is that of a service without tasks and
    /// without anything that guards it: what only knows Amazon ECS has nothing to say there.
    pub fn ecs(&self) -> &ecs::Params {
        match self {
            PlatformSettings::Ecs(params) => params,
            _ => &ecs::Params::NOTHING,
        }
    }

    /// The same for changing it; absent on any other platform.
    pub fn ecs_mut(&mut self) -> Option<&mut ecs::Params> {
        match self {
            PlatformSettings::Ecs(params) => Some(params),
            _ => None,
        }
    }

    /// The configuration of a Kubernetes Deployment; absent on any other platform.
    pub fn kubernetes(&self) -> Option<&kubernetes::Params> {
        match self {
            PlatformSettings::Kubernetes(params) => Some(params),
            _ => None,
        }
    }

    /// The configuration of an Auto Scaling group; absent on any other platform.
    pub fn asg(&self) -> Option<&asg::Params> {
        match self {
            PlatformSettings::Asg(params) => Some(params),
            _ => None,
        }
    }

    /// The configuration of a StatefulSet; absent on any other platform.
    pub fn stateful_set(&self) -> Option<&statefulset::Params> {
        match self {
            PlatformSettings::StatefulSet(params) => Some(params),
            _ => None,
        }
    }

    /// The configuration of a DaemonSet; absent on any other platform.
    pub fn daemon_set(&self) -> Option<&daemonset::Params> {
        match self {
            PlatformSettings::DaemonSet(params) => Some(params),
            _ => None,
        }
    }

    /// What the workloads of Kubernetes have in common; absent on any other platform.
    pub fn workload(&self) -> Option<&kubernetes::Params> {
        match self {
            PlatformSettings::Kubernetes(params) => Some(params),
            PlatformSettings::StatefulSet(params) => Some(&params.common),
            PlatformSettings::DaemonSet(params) => Some(&params.common),
            PlatformSettings::Ecs(_) | PlatformSettings::Asg(_) | PlatformSettings::Vm(_) => None,
        }
    }

    /// The configuration of a group of virtual machines; absent on any other platform.
    pub fn vm(&self) -> Option<&vm::Params> {
        match self {
            PlatformSettings::Vm(params) => Some(params),
            _ => None,
        }
    }
}
