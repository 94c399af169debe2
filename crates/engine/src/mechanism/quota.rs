//! Launch quotas as token buckets, in integers.

use crate::settings::Quotas;
use crate::time::SimTime;

/// A bucket that holds up to `capacity` tokens and gains one every `ms_per_token`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bucket {
    capacity: u64,
    ms_per_token: u64,
    tokens: u64,
    filled_at: SimTime,
}

impl Bucket {
    /// A full bucket.
    pub const fn new(capacity: u64, ms_per_token: u64) -> Bucket {
        Bucket { capacity, ms_per_token, tokens: capacity, filled_at: SimTime::ZERO }
    }

    /// Tokens at `now`.
    pub fn available(&self, now: SimTime) -> u64 {
        (self.tokens + now.since(self.filled_at) / self.ms_per_token).min(self.capacity)
    }

    /// Takes `n` tokens that are there.
    pub fn take(&mut self, now: SimTime, n: u64) {
        let have = self.available(now);
        let age = now.since(self.filled_at);
        // A full bucket gains nothing: the next token counts from now.
        self.filled_at = if have == self.capacity { now } else { now - age % self.ms_per_token };
        self.tokens = have.saturating_sub(n);
    }

    /// When the next token arrives.
    pub fn next_token(&self, now: SimTime) -> SimTime {
        now + (self.ms_per_token - now.since(self.filled_at) % self.ms_per_token)
    }
}

/// The buckets that hold for one service.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LaunchQuota {
    service: Option<Bucket>,
    fargate: Option<Bucket>,
}

impl LaunchQuota {
    /// 500 launches a minute for a service (Developer Guide, service-quotas), and on Fargate a
    /// burst of 100 with 20 a second (AWS Fargate throttling quotas).
    pub fn new(quotas: Quotas) -> LaunchQuota {
        match quotas {
            Quotas::None => LaunchQuota { service: None, fargate: None },
            Quotas::Default { fargate } => {
                LaunchQuota { service: Some(Bucket::new(500, 120)), fargate: fargate.then(|| Bucket::new(100, 50)) }
            }
        }
    }

    fn buckets(&self) -> impl Iterator<Item = &Bucket> {
        self.service.iter().chain(self.fargate.iter())
    }

    /// Launches that are possible at `now`.
    pub fn available(&self, now: SimTime) -> u32 {
        self.buckets().map(|bucket| bucket.available(now)).min().map_or(u32::MAX, |n| n as u32)
    }

    /// Takes `n` launches from every bucket.
    pub fn take(&mut self, now: SimTime, n: u32) {
        for bucket in self.service.iter_mut().chain(self.fargate.iter_mut()) {
            bucket.take(now, u64::from(n));
        }
    }

    /// When another launch is possible after all are used up.
    pub fn next_launch(&self, now: SimTime) -> SimTime {
        self.buckets().filter(|b| b.available(now) == 0).map(|b| b.next_token(now)).max().unwrap_or(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_bucket_gives_500_then_one_every_120_ms() {
        let mut quota = LaunchQuota::new(Quotas::Default { fargate: false });
        assert_eq!(quota.available(SimTime(0)), 500);
        quota.take(SimTime(0), 500);
        assert_eq!(quota.available(SimTime(119)), 0);
        assert_eq!(quota.next_launch(SimTime(119)), SimTime(120));
        assert_eq!(quota.available(SimTime(120)), 1);
        assert_eq!(quota.available(SimTime(60_000)), 500);
        quota.take(SimTime(125), 1);
        assert_eq!(quota.next_launch(SimTime(125)), SimTime(240), "the rest of a token is not lost");
    }

    #[test]
    fn fargate_is_the_smaller_one_at_first() {
        let mut quota = LaunchQuota::new(Quotas::Default { fargate: true });
        assert_eq!(quota.available(SimTime(0)), 100);
        quota.take(SimTime(0), 100);
        assert_eq!(quota.available(SimTime(1_000)), 20);
        assert_eq!(LaunchQuota::new(Quotas::None).available(SimTime(0)), u32::MAX);
    }
}
