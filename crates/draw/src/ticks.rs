//! Round values for axes: times in sixties, counts in tens.

/// Steps between labels of a time axis, in milliseconds.
const STEPS: [u64; 20] = [
    100, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000,
    3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
];

/// Moments from 0 to `end_ms`, at most about `most` of them, at a round distance.
pub fn times(end_ms: u64, most: usize) -> Vec<u64> {
    let step = step(end_ms, most);
    (0..=end_ms / step).map(|k| k * step).collect()
}

/// The least round distance at which at most about `most` moments fit into `span_ms`.
pub fn step(span_ms: u64, most: usize) -> u64 {
    let most = most.max(1) as u64;
    let fits = |step: &u64| span_ms / step < most;
    STEPS.into_iter().find(fits).unwrap_or_else(|| {
        let day = STEPS[STEPS.len() - 1];
        (span_ms / most / day + 1) * day
    })
}

/// Whole numbers from 0 to `top`, at most about `most` of them, at a round distance.
pub fn counts(top: u32, most: usize) -> Vec<u32> {
    let most = most.max(1) as u32;
    let mut unit = 1;
    loop {
        for times in [1, 2, 5] {
            let step = unit * times;
            if top / step < most {
                return (0..=top / step).map(|k| k * step).collect();
            }
        }
        unit *= 10;
    }
}

/// `1:50`, from an hour on `1:02:03`; tenths only where there are any and `tenths` asks for them.
pub fn clock(ms: u64, tenths: bool) -> String {
    let seconds = ms / 1000;
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m}:{s:02}") };
    if tenths && ms % 1000 >= 100 {
        text.push_str(&format!(".{}", ms % 1000 / 100));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_round_and_few() {
        assert_eq!(times(233_000, 9), vec![0, 30_000, 60_000, 90_000, 120_000, 150_000, 180_000, 210_000]);
        assert_eq!(times(3_600_000, 8), (0..=6).map(|k| k * 600_000).collect::<Vec<_>>());
        assert_eq!(times(0, 8), vec![0]);
        for days in [1, 3, 16, 400] {
            let ticks = times(days * 86_400_000, 8);
            assert!((2..=9).contains(&ticks.len()), "{days}: {}", ticks.len());
        }
    }

    #[test]
    fn counts_are_round_and_few() {
        assert_eq!(counts(6, 5), vec![0, 2, 4, 6]);
        assert_eq!(counts(1, 5), vec![0, 1]);
        assert_eq!(counts(1250, 6), vec![0, 500, 1000]);
        assert_eq!(counts(0, 5), vec![0]);
    }

    #[test]
    fn the_clock_shows_minutes_and_from_an_hour_on_hours() {
        assert_eq!(clock(110_000, true), "1:50");
        assert_eq!(clock(110_250, true), "1:50.2");
        assert_eq!(clock(110_026, true), "1:50");
        assert_eq!(clock(110_250, false), "1:50");
        assert_eq!(clock(3_723_000, false), "1:02:03");
    }
}
