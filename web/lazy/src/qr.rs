//! A link as a QR code, for a projector or a sheet of paper.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

/// Free modules around the code, as its standard (ISO/IEC 18004) asks for.
const QUIET: i32 = 4;

/// The code of a text as `<width> <path>`: the width in modules with the free ones around, and the outline of
/// the dark modules as the data of an SVG path in these units. Empty where the text is longer than a code
/// can hold (2,953 bytes).
///
/// ```
/// let code = rollscope_lazy::qr_code("https://example.com/#v1&desired=4");
/// assert!(code.starts_with("37 M4 4h7v1h-7z"), "a pattern stands in the upper left corner");
/// ```
pub fn code(text: &str) -> String {
    // The lowest level of correction that holds the text; a higher one where it costs no module.
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return String::new() };
    let size = code.size();
    let mut out = format!("{} ", size + 2 * QUIET);
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let from = x;
            while x < size && code.get_module(x, y) {
                x += 1;
            }
            let wide = x - from;
            if wide > 0 {
                // Writing into a string does not fail.
                let _ = write!(out, "M{} {}h{wide}v1h-{wide}z", from + QUIET, y + QUIET);
            }
            x = x.max(from + 1);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the path on a sheet of eight pixels a module, and reads it as a camera would.
    fn read_back(code: &str) -> String {
        const ZOOM: usize = 8;
        let (size, path) = code.split_once(' ').expect("a width and a path");
        let size: usize = size.parse().expect("a number");
        let mut sheet = vec![vec![false; size]; size];
        for run in path.split('M').skip(1) {
            let (x, rest) = run.split_once(' ').expect("two numbers");
            let (y, rest) = rest.split_once('h').expect("a width");
            let (wide, _) = rest.split_once('v').expect("a height");
            let number = |text: &str| text.parse::<usize>().expect("a number");
            let (x, y) = (number(x), number(y));
            sheet[y][x..x + number(wide)].fill(true);
        }
        let side = size * ZOOM;
        let mut image =
            rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| 255 * u8::from(!sheet[y / ZOOM][x / ZOOM]));
        let grids = image.detect_grids();
        assert_eq!(grids.len(), 1);
        grids[0].decode().expect("it is read").1
    }

    #[test]
    fn a_camera_reads_the_link() {
        let long = format!("https://docs.example.com/rollscope/#v1.1200.0badcafe&title={}", "x".repeat(1200));
        for link in
            ["https://example.com/#v1&desired=4&min=100&max=150", "https://example.com/#v1&title=%C3%9Cber", &long]
        {
            assert_eq!(read_back(&code(link)), link);
        }
    }

    #[test]
    fn what_no_code_holds_is_none() {
        assert!(!code(&"x".repeat(2953)).is_empty());
        assert_eq!(code(&"x".repeat(2954)), "");
    }
}
