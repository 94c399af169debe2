//! The rules of each platform. A platform is one variant; the compiler lists the rest.

pub mod ecs;

/// Which platform runs, with its own configuration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlatformSettings {
    /// Amazon ECS, rolling update.
    Ecs(ecs::Params),
}
