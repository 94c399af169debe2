//! Configuration of an ECS service, under the field names of the ECS API.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::record;
use super::shift::AdvancedConfiguration;
use crate::json::{Number, Value};

record! {
    /// The service (`CreateService`, `UpdateService`).
    member Service {
        /// A name; only shown.
        service_name: Option<String> = "serviceName",
        /// Tasks to keep running: 0 to 20,000 (the simulator's limit). Required.
        desired_count: Option<i64> = "desiredCount",
        /// `REPLICA` (default) or `DAEMON`.
        scheduling_strategy: Option<String> = "schedulingStrategy",
        /// Who deploys.
        deployment_controller: DeploymentController = "deploymentController",
        /// Seconds after RUNNING in which failed checks are ignored: 0 to 2,147,483,647. Default 0.
        grace: Option<i64> = "healthCheckGracePeriodSeconds",
        /// `ENABLED` or `DISABLED`.
        az_rebalancing: Option<String> = "availabilityZoneRebalancing",
        /// Starts a deployment without a change of the definition. Default false.
        force_new_deployment: Option<bool> = "forceNewDeployment",
        /// `EC2`, `FARGATE`, `EXTERNAL` or `MANAGED_INSTANCES`; not together with capacity providers.
        launch_type: Option<String> = "launchType",
        /// Where tasks run.
        capacity_providers: Option<Vec<CapacityProviderItem>> = "capacityProviderStrategy",
        /// How a deployment goes.
        deployment: DeploymentConfiguration = "deploymentConfiguration",
        /// Service discovery; its health follows the containers.
        registries: Option<Vec<ServiceRegistry>> = "serviceRegistries",
        /// Which target groups are attached; their checks are in `targetGroups`.
        load_balancers: Option<Vec<LoadBalancer>> = "loadBalancers",
        /// The task definition's name or ARN. Kept as it is; it does not change the run.
        task_definition: Option<Value> = "taskDefinition",
        /// Fargate platform version. Kept as it is; it does not change the run.
        platform_version: Option<Value> = "platformVersion",
        /// Network of the tasks. Kept as it is; it does not change the run.
        network_configuration: Option<Value> = "networkConfiguration",
        /// Where tasks may run. Kept as it is; it does not change the run.
        placement_constraints: Option<Value> = "placementConstraints",
        /// Where tasks run first. Kept as it is; it does not change the run.
        placement_strategy: Option<Value> = "placementStrategy",
        /// Service Connect. Kept as it is; it does not change the run.
        service_connect: Option<Value> = "serviceConnectConfiguration",
        /// VPC Lattice. Kept as it is; it does not change the run.
        vpc_lattice: Option<Value> = "vpcLatticeConfigurations",
        /// Volumes. Kept as it is; it does not change the run.
        volumes: Option<Value> = "volumeConfigurations",
        /// ECS Exec. Kept as it is; it does not change the run.
        execute_command: Option<Value> = "enableExecuteCommand",
        /// Tags of ECS. Kept as it is; it does not change the run.
        managed_tags: Option<Value> = "enableECSManagedTags",
        /// Tags from elsewhere. Kept as it is; it does not change the run.
        propagate_tags: Option<Value> = "propagateTags",
        /// Managed scaling of the capacity provider (`instanceWarmupPeriod`). Kept as it is; it does not change the run.
        managed_scaling: Option<Value> = "managedScaling",
    }
}

impl Service {
    /// Fields that are kept as they are and change nothing in a run, as far as they are given.
    pub fn kept(&self) -> impl Iterator<Item = &'static str> + '_ {
        let fields = [
            ("taskDefinition", &self.task_definition),
            ("platformVersion", &self.platform_version),
            ("networkConfiguration", &self.network_configuration),
            ("placementConstraints", &self.placement_constraints),
            ("placementStrategy", &self.placement_strategy),
            ("serviceConnectConfiguration", &self.service_connect),
            ("vpcLatticeConfigurations", &self.vpc_lattice),
            ("volumeConfigurations", &self.volumes),
            ("enableExecuteCommand", &self.execute_command),
            ("enableECSManagedTags", &self.managed_tags),
            ("propagateTags", &self.propagate_tags),
            ("managedScaling", &self.managed_scaling),
        ];
        fields.into_iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name)
    }
}

record! {
    /// `deploymentController`
    member DeploymentController {
        /// `ECS` (default), `CODE_DEPLOY` or `EXTERNAL`.
        kind: Option<String> = "type",
    }
}

record! {
    /// An entry of `capacityProviderStrategy`.
    record CapacityProviderItem {
        /// Its name, for instance `FARGATE_SPOT`.
        provider: Option<String> = "capacityProvider",
        /// Share of the tasks above the base: 0 to 1000.
        weight: Option<i64> = "weight",
        /// Tasks that run on it at least: 0 to 100,000.
        base: Option<i64> = "base",
    }
}

record! {
    /// An entry of `serviceRegistries`.
    record ServiceRegistry {
        /// The Cloud Map service.
        arn: Option<String> = "registryArn",
        /// Port of SRV records.
        port: Option<i64> = "port",
        /// Container.
        container: Option<String> = "containerName",
        /// Container port.
        container_port: Option<i64> = "containerPort",
    }
}

record! {
    /// An entry of `loadBalancers`.
    record LoadBalancer {
        /// Target group.
        target_group_arn: Option<String> = "targetGroupArn",
        /// Classic load balancer.
        name: Option<String> = "loadBalancerName",
        /// Container.
        container: Option<String> = "containerName",
        /// Container port.
        container_port: Option<i64> = "containerPort",
        /// For blue/green, linear and canary.
        advanced: Option<AdvancedConfiguration> = "advancedConfiguration",
    }
}

record! {
    /// `deploymentConfiguration`
    member DeploymentConfiguration {
        /// `ROLLING` (default), `BLUE_GREEN`, `LINEAR` or `CANARY`.
        strategy: Option<String> = "strategy",
        /// Percent of the desired count that must stay healthy: 0 to 100. Default 100.
        minimum: Option<i64> = "minimumHealthyPercent",
        /// Percent of the desired count that may exist: 100 and up. Default 200.
        maximum: Option<i64> = "maximumPercent",
        /// Circuit breaker.
        breaker: Option<CircuitBreaker> = "deploymentCircuitBreaker",
        /// CloudWatch alarms.
        alarms: Option<Alarms> = "alarms",
        /// Minutes to wait before completion: 0 to 1440.
        bake_minutes: Option<i64> = "bakeTimeInMinutes",
        /// Early success.
        early_success: Option<EarlySuccess> = "earlySuccessCriteria",
        /// Hooks.
        hooks: Option<Vec<LifecycleHook>> = "lifecycleHooks",
        /// Steps of `LINEAR`.
        linear: Option<LinearConfiguration> = "linearConfiguration",
        /// Steps of `CANARY`.
        canary: Option<CanaryConfiguration> = "canaryConfiguration",
    }
}

impl DeploymentConfiguration {
    /// What is stored after an `UpdateService` with `update`: merged field by field, also inside
    /// the circuit breaker; what the update leaves out keeps its stored value.
    pub fn updated(&self, update: &DeploymentConfiguration) -> DeploymentConfiguration {
        fn or<T: Clone>(new: &Option<T>, old: &Option<T>) -> Option<T> {
            new.clone().or_else(|| old.clone())
        }
        let breaker = match (&self.breaker, &update.breaker) {
            (Some(old), Some(new)) => Some(CircuitBreaker {
                enable: new.enable.or(old.enable),
                rollback: new.rollback.or(old.rollback),
                reset_on_healthy: new.reset_on_healthy.or(old.reset_on_healthy),
                threshold: or(&new.threshold, &old.threshold),
            }),
            (old, new) => or(new, old),
        };
        DeploymentConfiguration {
            strategy: or(&update.strategy, &self.strategy),
            minimum: update.minimum.or(self.minimum),
            maximum: update.maximum.or(self.maximum),
            breaker,
            alarms: or(&update.alarms, &self.alarms),
            bake_minutes: update.bake_minutes.or(self.bake_minutes),
            early_success: or(&update.early_success, &self.early_success),
            hooks: or(&update.hooks, &self.hooks),
            linear: or(&update.linear, &self.linear),
            canary: or(&update.canary, &self.canary),
        }
    }
}

record! {
    /// `deploymentCircuitBreaker`
    record CircuitBreaker {
        /// Required.
        enable: Option<bool> = "enable",
        /// Required.
        rollback: Option<bool> = "rollback",
        /// A healthy task sets the count back to 0. Default true.
        reset_on_healthy: Option<bool> = "resetOnHealthyTask",
        /// Failures that trip it. Default `BOUNDED_PERCENT` 50.
        threshold: Option<ThresholdConfiguration> = "thresholdConfiguration",
    }
}

record! {
    /// `thresholdConfiguration`; both fields are required.
    record ThresholdConfiguration {
        /// `COUNT`, `BOUNDED_PERCENT` or `UNBOUNDED_PERCENT`.
        kind: Option<String> = "type",
        /// Percentages 1 to 100, a count 1 and up.
        value: Option<i64> = "value",
    }
}

record! {
    /// `alarms`; all three fields are required.
    record Alarms {
        /// Names; at least one when enabled.
        names: Option<Vec<String>> = "alarmNames",
        /// On or off.
        enable: Option<bool> = "enable",
        /// Roll back when one fires.
        rollback: Option<bool> = "rollback",
    }
}

record! {
    /// `earlySuccessCriteria`
    record EarlySuccess {
        /// Required.
        enable: Option<bool> = "enable",
        /// 0 to 100 and not below the minimum healthy percent; required when enabled.
        healthy_percent: Option<i64> = "healthyPercent",
        /// `BLOCKING` or `DEFERRED`; required when enabled.
        cleanup: Option<String> = "sourceServiceRevisionCleanup",
    }
}

record! {
    /// An entry of `lifecycleHooks`.
    record LifecycleHook {
        /// `AWS_LAMBDA` (default) or `PAUSE`.
        target_type: Option<String> = "targetType",
        /// Function, for Lambda.
        target_arn: Option<String> = "hookTargetArn",
        /// Role, for Lambda.
        role_arn: Option<String> = "roleArn",
        /// Stages; at least one.
        stages: Option<Vec<String>> = "lifecycleStages",
        /// Timeout.
        timeout: Option<HookTimeout> = "timeoutConfiguration",
        /// Text handed to the function.
        details: Option<String> = "hookDetails",
    }
}

record! {
    /// `timeoutConfiguration` of a hook.
    record HookTimeout {
        /// `PAUSE` 1 to 20160, Lambda 1 to 1440. Default 1440.
        minutes: Option<i64> = "timeoutInMinutes",
        /// `ROLLBACK` (default) or `CONTINUE`.
        action: Option<String> = "action",
    }
}

record! {
    /// `linearConfiguration`
    record LinearConfiguration {
        /// Percent a step: 3.0 to 100.0 in tenths. Default 10.0.
        step_percent: Option<Number> = "stepPercent",
        /// Minutes after each step: 0 to 1440. Default 6.
        step_bake_minutes: Option<i64> = "stepBakeTimeInMinutes",
    }
}

record! {
    /// `canaryConfiguration`
    record CanaryConfiguration {
        /// Percent of the first step: 0.1 to 100.0 in tenths. Default 5.0.
        percent: Option<Number> = "canaryPercent",
        /// Minutes after it: 0 to 1440. Default 10.
        bake_minutes: Option<i64> = "canaryBakeTimeInMinutes",
    }
}
