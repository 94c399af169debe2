//! Moments as digits, the same in every language.

use rollscope_engine::SimTime;
use rollscope_engine::time::{HOUR, MINUTE, SECOND};

/// `m:ss`, from an hour on `h:mm:ss`; milliseconds are cut off.
pub fn clock(at: SimTime) -> String {
    let (h, m, s) = (at.ms() / HOUR, at.ms() % HOUR / MINUTE, at.ms() % MINUTE / SECOND);
    if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m}:{s:02}") }
}

/// The same with thousandths of a second where there are any: `1:02.250`.
pub fn clock_exact(at: SimTime) -> String {
    match at.ms() % SECOND {
        0 => clock(at),
        ms => format!("{}.{ms:03}", clock(at)),
    }
}

/// `8·3`
pub fn task(name: rollscope_engine::settings::TaskName) -> String {
    format!("{}·{}", name.revision, name.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        let cases = [
            (0, "0:00", "0:00"),
            (59_999, "0:59", "0:59.999"),
            (61_000, "1:01", "1:01"),
            (3_599_000, "59:59", "59:59"),
            (3_600_000, "1:00:00", "1:00:00"),
            (90_061_005, "25:01:01", "25:01:01.005"),
        ];
        for (ms, short, exact) in cases {
            assert_eq!(clock(SimTime(ms)), short);
            assert_eq!(clock_exact(SimTime(ms)), exact);
        }
    }
}
