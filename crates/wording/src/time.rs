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

/// Reads a moment as people type it: `1:50`, `1:02:03`, `1:50.5`, `90` or `90s` (seconds).
pub fn read_clock(text: &str) -> Option<SimTime> {
    let text = text.trim();
    let parts: Vec<&str> = text.trim_end_matches('s').trim_end().split(':').collect();
    let (last, whole) = parts.split_last()?;
    let (seconds, fraction) = last.split_once('.').unwrap_or((last, ""));
    if whole.len() > 2 || fraction.len() > 3 || (!whole.is_empty() && text.ends_with('s')) {
        return None;
    }
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let mut sum = 0u64;
    for part in whole {
        sum = sum.checked_add(number(part)?)?.checked_mul(60)?;
    }
    let ms = if fraction.is_empty() { 0 } else { number(&format!("{fraction:0<3}"))? };
    sum.checked_add(number(seconds)?)?.checked_mul(SECOND)?.checked_add(ms).map(SimTime)
}

/// `8·3`
pub fn task(name: rollscope_engine::settings::TaskName) -> String {
    format!("{}·{}", name.revision, name.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_moments() {
        let cases = [
            ("1:50", Some(110_000)),
            (" 1:02:03 ", Some(3_723_000)),
            ("0:10.5", Some(10_500)),
            ("90", Some(90_000)),
            ("90s", Some(90_000)),
            ("1:50s", None),
            ("1:2:3:4", None),
            ("soon", None),
            ("-5", None),
            ("", None),
            ("99999999999999999999", None),
        ];
        for (text, ms) in cases {
            assert_eq!(read_clock(text), ms.map(SimTime), "{text}");
        }
    }

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
