//! Comparisons: several links in one fragment come back, and each part knows when it is broken.

use rollscope_scenario::link::{LinkError, decode, decode_compared, encode, encode_compared, is_compared};
use rollscope_scenario::presets::Preset;
use rollscope_scenario::{Document, Link, Value};

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// A text with everything that means something in a link.
    fn text(&mut self) -> String {
        let letters: Vec<char> = "/%#&=~'.,:()+·é 0Aa\"{}[]?-_".chars().collect();
        (0..self.below(12)).map(|_| letters[self.below(letters.len())]).collect()
    }

    fn link(&mut self) -> Link {
        let mut document = Document { title: Some(self.text()), ..Document::default() };
        document.service.desired_count = Some(self.below(50) as i64);
        if self.below(2) == 0 {
            document.notes = Some(self.text());
        }
        if self.below(3) == 0 {
            document.service.service_name = Some(self.text());
        }
        Link { document, moment_ms: (self.below(3) == 0).then(|| self.below(900_000) as u64), ..Link::default() }
    }
}

fn read(text: &str) -> Vec<Link> {
    let compared = decode_compared(text).expect("a comparison");
    assert!(compared.is_whole(), "{text}: {:?}", compared.parts);
    compared.parts.into_iter().map(|part| part.expect("it is whole").link).collect()
}

#[test]
fn every_comparison_comes_back() {
    let mut dice = Dice(7);
    for _ in 0..500 {
        let links: Vec<Link> = (0..2 + dice.below(3)).map(|_| dice.link()).collect();
        let text = encode_compared(&links);
        assert!(is_compared(&text) && text.matches('/').count() == links.len(), "{text}");
        assert_eq!(read(&text), links, "{text}");
        assert_eq!(encode_compared(&read(&text)), text, "canonical");
        let first = links.iter().find_map(|link| link.moment_ms);
        assert_eq!(decode_compared(&text).expect("a comparison").moment_ms(), first);
        // Each part is a link of its own.
        for (part, link) in decode_compared(&text).expect("a comparison").texts.iter().zip(&links) {
            assert_eq!(decode(part).expect("a link").link, *link);
        }
    }
}

/// A comparison of two whose last part has slashes.
fn two() -> String {
    let mut dice = Dice(3);
    let mut last = dice.link();
    last.document.notes = Some("a/b/c 100 % of/it".into());
    encode_compared(&[dice.link(), last])
}

#[test]
fn a_cut_anywhere_in_a_part_is_told_of_that_part() {
    let text = two();
    let last = text.rfind('/').expect("two parts") + 1;
    let head = text[last..].find('&').expect("a head") + last;
    for end in head + 1..text.len() {
        let compared = decode_compared(&text[..end]).expect("a comparison");
        assert!(compared.parts[0].is_ok() && !compared.is_whole());
        match &compared.parts[1] {
            Err(LinkError::Cut { missing, .. }) => assert!((1..=text.len() - end + 2).contains(missing), "{end}"),
            other => panic!("cut at {end} of {text}: {other:?}"),
        }
    }
    // Where nothing of it holds a slash, the number is exact.
    let exact = encode_compared(&[Link::default(), decode("v1&desired=4&max=150").expect("opens").link]);
    for missing in 1..15 {
        let compared = decode_compared(&exact[..exact.len() - missing]).expect("a comparison");
        assert!(matches!(&compared.parts[1], Err(LinkError::Cut { missing: told, .. }) if *told == missing));
    }
}

#[test]
fn a_part_in_the_middle_can_be_broken_alone() {
    let parts: Vec<String> = [2, 3, 4].iter().map(|seed| encode(&Dice(*seed).link()).replace('/', "%2F")).collect();
    let broken = format!("compare/{}/{}/{}", parts[0], &parts[1][..parts[1].len() - 3], parts[2]);
    let compared = decode_compared(&broken).expect("a comparison");
    assert!(compared.parts[0].is_ok() && compared.parts[2].is_ok());
    assert!(matches!(compared.parts[1], Err(LinkError::Cut { .. })));
    assert!(compared.parts[1].as_ref().is_err_and(|error| error.partial().is_some()));
}

fn maximum(json: &Value) -> Option<i64> {
    json.pointer("/service/deploymentConfiguration/maximumPercent")?.as_i64()
}

#[test]
fn written_by_hand() {
    let links = read("https://example.org/x/#compare/v1&desired=4&max=200/v1&desired=4&max=125&at=770000");
    assert_eq!(links.len(), 2);
    assert_eq!(links[1].moment_ms, Some(770_000));
    let maxima: Vec<Option<i64>> =
        links.iter().map(|link| link.document.to_json()).map(|json| maximum(&json)).collect();
    assert_eq!(maxima, [Some(200), Some(125)]);
}

/// The example of the documentation opens.
#[test]
fn the_documentation_is_right() {
    let text = include_str!("../../../docs/link.md");
    let line = text.lines().find(|line| line.starts_with("#compare/v1")).expect("an example");
    let written = line.split("  ").next().unwrap_or_default();
    assert_eq!(read(written).len(), 2);
    assert_eq!(decode_compared(written).expect("a comparison").moment_ms(), Some(90_000));
}

#[test]
fn what_is_no_comparison_or_half_of_one() {
    assert_eq!(decode_compared("v1&desired=4"), None);
    assert_eq!(decode_compared("comparex/v1&desired=4"), None);
    assert!(!is_compared("") && is_compared("#compare"));
    for half in ["compare", "compare/", "compare/v1&desired=4", "compare/v1&desired=4/"] {
        assert!(!decode_compared(half).expect("meant as one").is_whole(), "{half}");
    }
    let five = decode_compared(&format!("compare{}", "/v1&desired=4".repeat(5))).expect("a comparison");
    assert_eq!((five.parts.len(), five.left_out), (4, 1));
}

/// Comparisons as they were released: they open for good.
#[test]
fn golden_comparisons_still_open() {
    let golden = include_str!("golden_comparisons.txt");
    let mut seen = 0;
    for line in golden.lines().filter(|line| !line.is_empty()) {
        let (text, documents) = line.split_once(' ').expect("a comparison and its documents");
        let found: Vec<String> = read(text).iter().map(|link| link.document.to_json().to_string()).collect();
        assert_eq!(format!("[{}]", found.join(",")), documents, "{text}");
        seen += 1;
    }
    assert!(seen >= 2);
}

/// What is written today stands in the fixture, so that it can be extended, never changed.
#[test]
fn golden_lines_are_canonical() {
    let golden = include_str!("golden_comparisons.txt");
    let documents = [
        r#"{"rollscope":1,"title":"web","service":{"desiredCount":4,"deploymentConfiguration":{"maximumPercent":200}}}"#,
        r#"{"rollscope":1,"title":"web","service":{"desiredCount":4,"deploymentConfiguration":{"maximumPercent":125}}}"#,
        r#"{"rollscope":1,"title":"a/b 100 % = & #","notes":"","containers":[{"healthCheck":{"command":["CMD-SHELL","curl -f http://localhost/ || exit 1"]}}]}"#,
    ];
    let read = |text: &&str| Document::from_text(text).document;
    let mut links: Vec<Link> = documents.iter().map(|text| Link { document: read(text), ..Link::default() }).collect();
    links[0].moment_ms = Some(770_000);
    for some in [&links[..2], &links[..]] {
        let all: Vec<String> = some.iter().map(|link| link.document.to_json().to_string()).collect();
        let line = format!("{} [{}]", encode_compared(some), all.join(","));
        assert!(golden.contains(&line), "missing in golden_comparisons.txt:\n{line}");
    }
}

/// The documents of a comparison in the documentation are those of the presets that it names.
#[test]
fn the_strategies_side_by_side_are_the_presets() {
    let page = include_str!("../../../docs/link.md");
    let link = page.lines().filter_map(|line| line.strip_prefix('#')).find(|line| line.contains("strategy=CANARY"));
    let found = read(link.expect("the strategies stand in docs/link.md"));
    let wanted = ["rolled", "blue-green", "linear", "canary"];
    assert_eq!(found.len(), wanted.len());
    for (link, id) in found.into_iter().zip(wanted) {
        let preset = Preset::find(id).unwrap_or_else(|| panic!("no preset {id}"));
        let mut document = Document::from_text(preset.document).document;
        document.notes = None;
        assert_eq!(link.document.to_json(), document.to_json(), "{id}");
    }
}
