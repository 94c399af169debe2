//! Numbers with decimals as text, for attributes and styles.
//!
//! The standard library's ways are exact to the last digit of any number, and bring twenty
//! kilobytes into the page; here a thousandth of a pixel is enough.

use std::fmt::{self, Display};

/// A number with up to three decimals, rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimal(pub f64);

impl Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thousandths = (self.0 * 1000.0).round() as i64;
        let sign = if thousandths < 0 { "-" } else { "" };
        let (whole, part) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
        match part {
            0 => write!(f, "{sign}{whole}"),
            part => write!(f, "{sign}{whole}.{part:03}"),
        }
    }
}

/// The number at the start of a text, as style sheets write it.
pub fn read(text: &str) -> Option<f64> {
    Some(js_sys::parse_float(text)).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_decimals_at_most() {
        for (number, text) in
            [(0.0, "0"), (12.0, "12"), (12.5, "12.500"), (-0.25, "-0.250"), (1.0 / 3.0, "0.333"), (99.9999, "100")]
        {
            assert_eq!(Decimal(number).to_string(), text);
        }
    }
}
