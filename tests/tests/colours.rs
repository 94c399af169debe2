//! The colours of the page: enough contrast, told apart with any colour vision, the same in every place.
//!
//! Contrast is WCAG 2.2 (1.4.3 text, 1.4.11 graphics). Colour-vision deficiency is simulated after
//! Machado, Oliveira and Fernandes 2009 at full severity, in linear light; differences are CIEDE2000.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../web/tokens.css");

/// A colour as 0xrrggbb.
type Hex = u32;
type Theme = BTreeMap<String, Hex>;

/// What the design gives every role: name, light, dark.
const DESIGN: &[(&str, Hex, Hex)] = &[
    ("bg", 0xf5f6f8, 0x0c0e12),
    ("surface", 0xffffff, 0x14171d),
    ("inset", 0xeceef2, 0x1e222a),
    ("line", 0xe2e5ea, 0x272c35),
    ("line-2", 0xcbd0d9, 0x3b424f),
    ("control", 0x767e8c, 0x7a8393),
    ("ink", 0x12151b, 0xeef0f4),
    ("ink-2", 0x434a57, 0xbec4cf),
    ("ink-3", 0x5c6472, 0x9aa2b0),
    ("solid", 0x12151b, 0xeef0f4),
    ("on-solid", 0xffffff, 0x0c0e12),
    ("focus", 0x12151b, 0xffffff),
    ("rev-old", 0x3236b6, 0x8188f8),
    ("on-rev-old", 0xffffff, 0x0c0e12),
    ("rev-old-ink", 0x2d31a6, 0xa5aafb),
    ("rev-old-tint", 0xe3e4f9, 0x23254a),
    ("rev-old-mid", 0xb3b5ee, 0x3d4084),
    ("rev-new", 0x0b827c, 0x2bd2c2),
    ("on-rev-new", 0xffffff, 0x0c0e12),
    ("rev-new-ink", 0x096b67, 0x4fded0),
    ("rev-new-tint", 0xd8f0ed, 0x0f3532),
    ("rev-new-mid", 0x93d2cc, 0x15615a),
    ("rev-third", 0xb97d00, 0xfbd530),
    ("on-rev-third", 0x12151b, 0x0c0e12),
    ("rev-third-ink", 0x7d5300, 0xfbdc5b),
    ("rev-third-tint", 0xfaeccb, 0x3a310c),
    ("rev-third-mid", 0xe8c87c, 0x6d5c10),
    ("fail", 0xb70c2c, 0xf0405f),
    ("on-fail", 0xffffff, 0x0c0e12),
    ("fail-ink", 0xa30a26, 0xff8a9b),
    ("fail-tint", 0xfde7ea, 0x401520),
    ("heat-0", 0xffffff, 0x14171d),
    ("heat-1", 0xe3e6eb, 0x272c35),
    ("heat-2", 0xc3c8d1, 0x404755),
    ("heat-3", 0x9aa1ae, 0x626a7a),
    ("heat-4", 0x6b7382, 0x8d95a4),
    ("heat-5", 0x3f4653, 0xbcc2cd),
    ("heat-6", 0x1c2028, 0xeef0f4),
];

/// Foreground, background, least contrast: 7 for what is read most, 4.5 for text, 3 for graphics
/// and the borders of controls.
const PAIRS: &[(&str, &str, f64)] = &[
    ("ink", "surface", 7.0),
    ("ink-2", "surface", 4.5),
    ("ink-2", "inset", 4.5),
    ("ink-3", "surface", 4.5),
    ("ink-3", "bg", 4.5),
    ("ink-3", "inset", 4.5),
    ("control", "surface", 3.0),
    ("control", "bg", 3.0),
    ("control", "inset", 3.0),
    ("focus", "surface", 3.0),
    ("focus", "bg", 3.0),
    ("on-solid", "solid", 7.0),
    ("ink", "heat-2", 4.5),
    ("ink", "heat-3", 4.5),
    ("surface", "heat-4", 4.5),
    ("surface", "heat-5", 4.5),
    ("fail", "surface", 3.0),
    ("fail", "inset", 3.0),
    ("fail-ink", "surface", 4.5),
    ("fail-ink", "bg", 4.5),
    ("fail-ink", "fail-tint", 4.5),
    ("on-fail", "fail", 4.5),
];

/// The same for every revision's colours; `*` stands for `rev-old`, `rev-new`, `rev-third`.
const REVISION_PAIRS: &[(&str, &str, f64)] = &[
    ("*", "surface", 3.0),
    ("*", "inset", 3.0),
    ("on-*", "*", 4.5),
    ("*-ink", "surface", 4.5),
    ("*-ink", "bg", 4.5),
    ("*-ink", "*-tint", 4.5),
    ("ink", "*-tint", 7.0),
    ("ink", "*-mid", 4.5),
];

const REVISIONS: [&str; 3] = ["rev-old", "rev-new", "rev-third"];
/// Colours that carry data and must be told apart.
const HUES: [&str; 4] = ["rev-old", "rev-new", "rev-third", "fail"];
const LEAST_DIFFERENCE: f64 = 15.0;

type Matrix = [[f64; 3]; 3];

const VISIONS: [(&str, Matrix); 4] = [
    ("normal vision", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    ("tritanopia", [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
];

/// Linear light of the three channels, 0 to 1.
fn linear(colour: Hex) -> [f64; 3] {
    [16, 8, 0].map(|shift| {
        let part = f64::from(colour >> shift & 0xff) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    })
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn contrast(a: Hex, b: Hex) -> f64 {
    let light = |colour| dot([0.2126, 0.7152, 0.0722], linear(colour)) + 0.05;
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

/// L*, a*, b* (D65) of a colour as this vision sees it.
fn lab(colour: Hex, vision: &Matrix) -> [f64; 3] {
    let rgb = linear(colour);
    let seen = vision.map(|row| dot(row, rgb).clamp(0.0, 1.0));
    let f = |t: f64| if t > 216.0 / 24_389.0 { t.cbrt() } else { (24_389.0 / 27.0 * t + 16.0) / 116.0 };
    let x = f(dot([0.4124564, 0.3575761, 0.1804375], seen) / 0.95047);
    let y = f(dot([0.2126729, 0.7151522, 0.0721750], seen));
    let z = f(dot([0.0193339, 0.1191920, 0.9503041], seen) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000, in the notation of Sharma, Wu and Dalal 2005.
fn difference([l1, a1, b1]: [f64; 3], [l2, a2, b2]: [f64; 3]) -> f64 {
    let seventh = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let g = 0.5 * (1.0 - seventh((a1.hypot(b1) + a2.hypot(b2)) / 2.0));
    let (a1, a2) = (a1 * (1.0 + g), a2 * (1.0 + g));
    let (c1, c2) = (a1.hypot(b1), a2.hypot(b2));
    let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
    let (h1, h2) = (hue(a1, b1), hue(a2, b2));
    let coloured = c1 * c2 != 0.0;
    // The shorter way round the circle.
    let turn = if coloured { (h2 - h1 + 540.0).rem_euclid(360.0) - 180.0 } else { 0.0 };
    let mean_hue = match (coloured, (h1 - h2).abs() <= 180.0) {
        (false, _) => h1 + h2,
        (true, true) => (h1 + h2) / 2.0,
        (true, false) => ((h1 + h2) / 2.0 + 180.0).rem_euclid(360.0),
    };
    let (dl, dc) = (l2 - l1, c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (l, c) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0);
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(mean_hue - 30.0) + 0.24 * cos(2.0 * mean_hue) + 0.32 * cos(3.0 * mean_hue + 6.0)
        - 0.20 * cos(4.0 * mean_hue - 63.0);
    let sl = 1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let swing = 30.0 * (-((mean_hue - 275.0) / 25.0).powi(2)).exp();
    let rt = -(2.0 * swing).to_radians().sin() * 2.0 * seventh(c);
    let (l, c, h) = (dl / sl, dc / sc, dh / sh);
    (l * l + c * c + h * h + rt * c * h).sqrt()
}

/// The colours between two comments of the style sheet.
fn theme(css: &str, from: &str, to: &str) -> Theme {
    let block = css.split_once(from).and_then(|(_, rest)| rest.split_once(to));
    let (block, _) = block.unwrap_or_else(|| panic!("no block from {from} to {to}"));
    let role = |line: &str| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(':')?;
        let digits = value.trim().strip_prefix('#')?.get(..6)?;
        Some((name.to_owned(), Hex::from_str_radix(digits, 16).ok()?))
    };
    block.lines().filter_map(role).collect()
}

fn light(css: &str) -> Theme {
    theme(css, "/* theme:light", "/* end:light")
}

fn dark(css: &str) -> Theme {
    theme(css, "/* theme:dark", "/* end:dark")
}

/// Every limit a style sheet breaks, one sentence each.
fn complaints(css: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (light, dark) = (light(css), dark(css));
    if theme(css, "/* auto:dark", "/* end:auto-dark") != dark {
        found.push("the two dark blocks differ".to_owned());
    }
    for (name, theme) in [("light", light), ("dark", dark)] {
        found.extend(of_theme(&theme).into_iter().map(|line| format!("{name}: {line}")));
    }
    found
}

fn of_theme(theme: &Theme) -> Vec<String> {
    let mut found = alike(theme);
    for (front, back, least) in PAIRS {
        found.extend(low_contrast(theme, front, back, *least));
    }
    for revision in REVISIONS {
        for (front, back, least) in REVISION_PAIRS {
            let named = |role: &str| role.replace('*', revision);
            found.extend(low_contrast(theme, &named(front), &named(back), *least));
        }
    }
    found
}

fn low_contrast(theme: &Theme, front: &str, back: &str, least: f64) -> Option<String> {
    let (Some(a), Some(b)) = (theme.get(front), theme.get(back)) else {
        return Some(format!("{front} or {back} is missing"));
    };
    let ratio = contrast(*a, *b);
    (ratio < least).then(|| format!("{front} on {back} has a contrast of {ratio:.2}, {least} are needed"))
}

fn alike(theme: &Theme) -> Vec<String> {
    let mut found = Vec::new();
    for (i, one) in HUES.iter().enumerate() {
        for other in &HUES[i + 1..] {
            for (name, vision) in &VISIONS {
                let (Some(a), Some(b)) = (theme.get(*one), theme.get(*other)) else { continue };
                let apart = difference(lab(*a, vision), lab(*b, vision));
                if apart < LEAST_DIFFERENCE {
                    found.push(format!("{one} and {other} are {apart:.1} apart with {name}"));
                }
            }
        }
    }
    found
}

#[test]
fn the_page_keeps_every_limit() {
    assert_eq!(complaints(TOKENS), Vec::<String>::new());
}

#[test]
fn the_page_has_the_colours_of_the_design() {
    let (light, dark) = (light(TOKENS), dark(TOKENS));
    for (role, in_light, in_dark) in DESIGN {
        assert_eq!(light.get(*role), Some(in_light), "{role}, light");
        assert_eq!(dark.get(*role), Some(in_dark), "{role}, dark");
    }
    for role in light.keys().chain(dark.keys()) {
        assert!(DESIGN.iter().any(|(name, ..)| name == role), "{role} is no role of the design");
    }
}

/// The style sheet with the first `count` places of a role's line changed.
fn with(role: &str, value: &str, count: usize) -> String {
    let mut left = count;
    let lines = TOKENS.lines().map(|line| {
        let is_role = line.trim().starts_with(&format!("--{role}:"));
        if !is_role || left == 0 {
            return line.to_owned();
        }
        left -= 1;
        format!("  --{role}: {value};")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_wrong_palette_is_noticed() {
    let noticed = |css: &str, part: &str| {
        let found = complaints(css);
        assert!(found.iter().any(|line| line.contains(part)), "{part}: {found:#?}");
    };
    noticed(&with("ink-3", "#8c94a2", 1), "light: ink-3 on surface has a contrast of");
    noticed(&with("rev-new", "#3236b6", 1), "light: rev-old and rev-new are 0.0 apart with normal vision");
    // A red and a green of the same lightness: fine for most, one colour for some.
    let green = with("rev-new", "#4d7c0f", 1).replacen("#b70c2c", "#b45309", 1);
    noticed(&green, "light: rev-new and fail are");
    assert!(!complaints(&green).iter().any(|line| line.contains("fail are") && line.contains("normal")));
    noticed(&with("rev-third-ink", "none", 1), "light: rev-third-ink or surface is missing");
    // The first place is the light one; the second one is the explicit dark one only.
    noticed(&with("rev-new", "#2bd2c3", 2), "the two dark blocks differ");
    noticed(&with("rev-new", "#6f78f8", 3), "dark: rev-old and rev-new are");
    for (front, back, _) in PAIRS {
        let ground = format!("#{:06x}", light(TOKENS)[*back]);
        noticed(&with(front, &ground, 1), &format!("light: {front} on {back} has a contrast of 1.00"));
    }
}

#[test]
fn contrast_is_that_of_the_guidelines() {
    assert_eq!(contrast(0x000000, 0xffffff), 21.0);
    assert_eq!(contrast(0x123456, 0x123456), 1.0);
    // The grey that is known for just reaching 4.5 on white, and its neighbour that does not.
    assert!(contrast(0x767676, 0xffffff) >= 4.5 && contrast(0xffffff, 0x777777) < 4.5);
}

/// Pairs published with the formula (Sharma, Wu and Dalal 2005, table 1).
#[test]
fn differences_are_the_published_ones() {
    let pairs = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0009], 7.1792),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0011], 7.2195),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [58.0, 24.0, 15.0], 19.4535),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([90.8027, -2.0831, 1.4410], [91.1528, -1.6435, 0.0447], 1.4441),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ];
    for (a, b, wanted) in pairs {
        for found in [difference(a, b), difference(b, a)] {
            assert!((found - wanted).abs() < 0.000_05, "{a:?} {b:?}: {found}, published: {wanted}");
        }
    }
}

/// The figures the design was chosen by, in whole units: normal, protanopia, deuteranopia, tritanopia.
#[test]
fn the_hues_are_as_far_apart_as_the_design_says() {
    let rows: [(&str, &str, [u32; 4], [u32; 4]); 6] = [
        ("rev-old", "rev-new", [39, 29, 23, 21], [40, 31, 23, 20]),
        ("rev-old", "rev-third", [64, 63, 69, 50], [67, 64, 65, 46]),
        ("rev-old", "fail", [39, 43, 57, 54], [38, 38, 49, 62]),
        ("rev-new", "rev-third", [41, 27, 36, 50], [40, 28, 38, 45]),
        ("rev-new", "fail", [58, 24, 29, 58], [70, 29, 29, 73]),
        ("rev-third", "fail", [39, 27, 17, 18], [57, 40, 24, 30]),
    ];
    let (light, dark) = (light(TOKENS), dark(TOKENS));
    for (one, other, in_light, in_dark) in rows {
        for (theme, wanted) in [(&light, in_light), (&dark, in_dark)] {
            let found = VISIONS.map(|(_, m)| difference(lab(theme[one], &m), lab(theme[other], &m)).round() as u32);
            assert_eq!(found, wanted, "{one} and {other}");
        }
    }
}
