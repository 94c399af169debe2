//! Does a change start a deployment on ECS? One rule, keyed by the field of the document.
//!
//! Sources: the statement about each parameter in the API's `UpdateService` (2014-11-13) and the
//! Developer Guide page service-deployment. What is no parameter of the service at all (the task
//! definition's own fields, the target group's, how the world behaves) follows from where it lives.

use rollscope_engine::settings::Command;

/// What a change does on ECS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EcsEffect {
    /// It starts a deployment (when the value differs from the stored one).
    NewDeployment,
    /// It is part of the task definition: a new revision of it, and a deployment of that revision.
    NewRevision,
    /// It changes the running deployment at once and starts no new one.
    AtOnce,
    /// It starts no deployment; tasks that run already stay as they are.
    NoDeployment,
    /// It is a setting of the load balancer: in force there at once, no deployment.
    LoadBalancer,
    /// It is a setting of the capacity provider: no deployment.
    CapacityProvider,
    /// It stops one task; the running deployment or the service makes it good.
    OneTask,
    /// It is fixed when the service is created.
    Fixed,
    /// The sources do not say.
    NotStated,
    /// It is no setting of ECS: how the application and the world behave, or how this page reads.
    World,
}

impl EcsEffect {
    /// Whether a deployment starts; absent where the sources do not say.
    pub const fn starts_deployment(self) -> Option<bool> {
        match self {
            EcsEffect::NewDeployment | EcsEffect::NewRevision => Some(true),
            EcsEffect::NotStated => None,
            _ => Some(false),
        }
    }
}

/// Fields and what their change does; the first row that holds the field counts.
const RULES: &[(&str, EcsEffect)] = &[
    ("/service/desiredCount", EcsEffect::AtOnce),
    ("/service/deploymentConfiguration", EcsEffect::AtOnce),
    ("/service/healthCheckGracePeriodSeconds", EcsEffect::AtOnce),
    ("/service/availabilityZoneRebalancing", EcsEffect::AtOnce),
    ("/service/taskDefinition", EcsEffect::NewDeployment),
    ("/service/platformVersion", EcsEffect::NewDeployment),
    ("/service/networkConfiguration", EcsEffect::NewDeployment),
    ("/service/loadBalancers", EcsEffect::NewDeployment),
    ("/service/serviceRegistries", EcsEffect::NewDeployment),
    ("/service/serviceConnectConfiguration", EcsEffect::NewDeployment),
    ("/service/vpcLatticeConfigurations", EcsEffect::NewDeployment),
    ("/service/volumeConfigurations", EcsEffect::NewDeployment),
    ("/service/forceNewDeployment", EcsEffect::NewDeployment),
    ("/service/placementConstraints", EcsEffect::NoDeployment),
    ("/service/placementStrategy", EcsEffect::NoDeployment),
    ("/service/capacityProviderStrategy", EcsEffect::NoDeployment),
    ("/service/enableExecuteCommand", EcsEffect::NoDeployment),
    ("/service/enableECSManagedTags", EcsEffect::NoDeployment),
    ("/service/propagateTags", EcsEffect::NoDeployment),
    ("/service/managedScaling", EcsEffect::CapacityProvider),
    ("/service/serviceName", EcsEffect::Fixed),
    ("/service/schedulingStrategy", EcsEffect::Fixed),
    ("/service/launchType", EcsEffect::Fixed),
    ("/service", EcsEffect::NotStated),
    ("/containers", EcsEffect::NewRevision),
    ("/targetGroups", EcsEffect::LoadBalancer),
];

/// What a change of this field of the document (a JSON pointer) does on ECS.
///
/// `/service/desiredCount` changes the running deployment at once and starts no new one;
/// `/containers/0/healthCheck/interval` needs a new revision of the task definition.
pub fn ecs_effect(pointer: &str) -> EcsEffect {
    let holds = |field: &str| pointer.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    RULES.iter().find(|(field, _)| holds(field)).map_or(EcsEffect::World, |(_, effect)| *effect)
}

/// What an act does on ECS.
pub const fn ecs_effect_of_act(command: &Command) -> EcsEffect {
    match command {
        Command::SetDesired(_) | Command::Schedule(_) | Command::SetPercentages { .. } => EcsEffect::AtOnce,
        Command::Deploy { .. } | Command::Template { .. } => EcsEffect::NewDeployment,
        Command::Kill(_) | Command::StopTask(_) => EcsEffect::OneTask,
        Command::Protect { .. }
        | Command::Unprotect(_)
        | Command::StopDeployment
        | Command::ContinueDeployment { .. }
        | Command::AddInstances { .. }
        | Command::DrainInstance(_) => EcsEffect::NoDeployment,
        Command::SetFate { .. }
        | Command::SetAlarm { .. }
        | Command::Rollout(_)
        | Command::Refresh(_)
        | Command::Group(_)
        | Command::SetSchema(_)
        | Command::Interrupt(_)
        | Command::LoseInstance(_)
        | Command::ReclaimInstance(_)
        | Command::LoseZone(_) => EcsEffect::World,
    }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::settings::{Behaviour, TaskName};

    use super::*;

    #[test]
    fn fields_of_the_service_by_the_table_of_the_api() {
        let starts = |fields: &[&str]| -> Vec<Option<bool>> {
            fields.iter().map(|field| ecs_effect(&format!("/service/{field}")).starts_deployment()).collect()
        };
        let yes = [
            "taskDefinition",
            "platformVersion",
            "networkConfiguration",
            "networkConfiguration/awsvpcConfiguration/subnets",
            "loadBalancers",
            "loadBalancers/0/targetGroupArn",
            "serviceRegistries",
            "serviceConnectConfiguration",
            "vpcLatticeConfigurations",
            "volumeConfigurations",
            "forceNewDeployment",
        ];
        assert_eq!(starts(&yes), vec![Some(true); yes.len()]);
        let no = [
            "desiredCount",
            "deploymentConfiguration",
            "deploymentConfiguration/maximumPercent",
            "deploymentConfiguration/minimumHealthyPercent",
            "deploymentConfiguration/deploymentCircuitBreaker/enable",
            "deploymentConfiguration/alarms/enable",
            "deploymentConfiguration/bakeTimeInMinutes",
            "healthCheckGracePeriodSeconds",
            "availabilityZoneRebalancing",
            "placementConstraints",
            "placementStrategy",
            "capacityProviderStrategy",
            "enableExecuteCommand",
            "enableECSManagedTags",
            "propagateTags",
        ];
        assert_eq!(starts(&no), vec![Some(false); no.len()]);
        assert_eq!(starts(&["deploymentController/type"]), [None]);
    }

    #[test]
    fn where_a_field_lives_decides() {
        for (pointer, effect) in [
            ("/service/desiredCount", EcsEffect::AtOnce),
            ("/service/desiredCounter", EcsEffect::NotStated),
            ("/service/schedulingStrategy", EcsEffect::Fixed),
            ("/service/launchType", EcsEffect::Fixed),
            ("/service/managedScaling", EcsEffect::CapacityProvider),
            ("/containers/0/healthCheck/interval", EcsEffect::NewRevision),
            ("/containers/0/stopTimeout", EcsEffect::NewRevision),
            ("/targetGroups/0/healthCheckIntervalSeconds", EcsEffect::LoadBalancer),
            ("/targetGroups/0/deregistration_delay.timeout_seconds", EcsEffect::LoadBalancer),
            ("/timing/start_up", EcsEffect::World),
            ("/new/fate", EcsEffect::World),
            ("/places", EcsEffect::World),
            ("/readings/start_first", EcsEffect::World),
            ("/seed", EcsEffect::World),
        ] {
            assert_eq!(ecs_effect(pointer), effect, "{pointer}");
        }
    }

    #[test]
    fn acts_do_what_their_fields_do() {
        let task = TaskName { revision: 8, start: 1 };
        let fate = Command::SetFate { revision: 8, behaviour: Behaviour::default() };
        for (command, effect) in [
            (Command::SetDesired(5), EcsEffect::AtOnce),
            (Command::SetPercentages { minimum: None, maximum: Some(150) }, EcsEffect::AtOnce),
            (Command::Deploy { revision: 9, behaviour: None }, EcsEffect::NewDeployment),
            (Command::Kill(task), EcsEffect::OneTask),
            (Command::StopTask(task), EcsEffect::OneTask),
            (fate, EcsEffect::World),
        ] {
            assert_eq!(ecs_effect_of_act(&command), effect, "{command:?}");
        }
    }
}
