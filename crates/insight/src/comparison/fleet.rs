//! What runs in a comparison: tasks, Pods, instances, or several of them.

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::settings::Settings;

/// What a platform runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Tasks of Amazon ECS.
    Tasks,
    /// Pods of Kubernetes.
    Pods,
    /// Instances of EC2 Auto Scaling.
    Instances,
    /// Virtual machines of Google Cloud or Azure.
    Machines,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Tasks, Kind::Pods, Kind::Instances, Kind::Machines];

    /// That of settings.
    pub const fn of(settings: &Settings) -> Kind {
        match settings.platform {
            PlatformSettings::Ecs(_) => Kind::Tasks,
            PlatformSettings::Kubernetes(_) | PlatformSettings::StatefulSet(_) | PlatformSettings::DaemonSet(_) => {
                Kind::Pods
            }
            PlatformSettings::Asg(_) => Kind::Instances,
            PlatformSettings::Vm(_) => Kind::Machines,
        }
    }
}

/// What runs in all runs together: which kinds there are, by [`Kind::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Fleet([bool; 4]);

impl Fleet {
    /// Tasks in every run.
    pub const TASKS: Fleet = Fleet([true, false, false, false]);
    /// Pods in every run.
    pub const PODS: Fleet = Fleet([false, true, false, false]);
    /// Instances in every run.
    pub const INSTANCES: Fleet = Fleet([false, false, true, false]);

    /// The kinds of runs.
    pub fn of(kinds: &[Kind]) -> Fleet {
        Fleet(Kind::ALL.map(|kind| kinds.contains(&kind)))
    }

    /// Some run has this kind.
    pub const fn has(self, kind: Kind) -> bool {
        self.0[kind as usize]
    }

    /// The kinds that there are, in their order.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }

    /// The kind of every run; absent where there are several, or none.
    pub fn only(self) -> Option<Kind> {
        let mut kinds = self.kinds();
        kinds.next().filter(|_| kinds.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_runs() {
        assert_eq!(Fleet::of(&[Kind::Pods, Kind::Pods]), Fleet::PODS);
        assert_eq!(Fleet::of(&[Kind::Instances]).only(), Some(Kind::Instances));
        let mixed = Fleet::of(&[Kind::Instances, Kind::Tasks]);
        assert_eq!((mixed.only(), mixed.kinds().collect::<Vec<_>>()), (None, vec![Kind::Tasks, Kind::Instances]));
        assert!(mixed.has(Kind::Tasks) && !mixed.has(Kind::Pods) && Fleet::default().only().is_none());
    }
}
