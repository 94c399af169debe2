//! The tree: exact numbers, order, places, keys given twice, pointers, and the writer.

use rollscope_scenario::json::{self, Number, Value, read, read_first};

#[test]
fn numbers_are_exact() {
    for (text, expected) in [
        ("0", Number::Int(0)),
        ("-7", Number::Int(-7)),
        ("9223372036854775807", Number::Int(i64::MAX)),
        ("-9223372036854775808", Number::Int(i64::MIN)),
        ("9223372036854775808", Number::Text("9223372036854775808".into())),
        ("90.5", Number::Text("90.5".into())),
        ("1e3", Number::Text("1e3".into())),
        ("12.30", Number::Text("12.30".into())),
    ] {
        let value = read(text).expect(text).value;
        assert_eq!(value, Value::Number(expected), "{text}");
        assert_eq!(value.to_string(), text, "written as it was read");
    }
    assert_eq!(Value::from(u64::MAX).as_u64(), Some(u64::MAX));
    for text in ["01", "1.", ".5", "-", "+1", "1e", "0x10", "NaN", "1_000"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn tenths_and_other_scales() {
    for (text, digits, expected) in [
        ("33.3", 1, Some(333)),
        ("33.30", 1, Some(333)),
        ("12.34", 1, None),
        ("5", 1, Some(50)),
        ("-0.5", 1, Some(-5)),
        ("-2.5", 1, Some(-25)),
        ("1e3", 1, None),
        ("99999999999999999999.5", 1, None),
    ] {
        let value = read(text).expect(text).value;
        assert_eq!(value.as_number().and_then(|n| n.scaled(digits)), expected, "{text}");
    }
}

#[test]
fn text_and_escapes() {
    let parsed = read(r#""a\"\\\/\b\f\n\r\tä\u00e4\ud83d\ude80""#).expect("a string");
    assert_eq!(parsed.value.as_str(), Some("a\"\\/\u{8}\u{c}\n\r\tää🚀"));
    let again = read(&parsed.value.to_string()).expect("what is written can be read");
    assert_eq!(again.value, parsed.value);
    for text in [r#""\x""#, r#""\u12""#, r#""\ud83d""#, r#""\ud83dx""#, r#""\ude80""#, "\"a", "'a'"] {
        assert!(read(text).is_err(), "{text}");
    }
    let line_separator = Value::from("\u{2028}\u{7f}\u{1}").to_string();
    assert_eq!(line_separator, "\"\\u2028\\u007f\\u0001\"");
}

#[test]
fn places_of_values_count_lines_and_characters() {
    let text = "{\n  \"ä\": 1, \"list\": [ 10,\n    { \"x/y\": true } ],\n  \"last\": {}\n}";
    let parsed = read(text).expect("JSON");
    let place = |pointer: &str| parsed.position(pointer).map(|p| (p.line, p.column));
    assert_eq!(place(""), Some((1, 1)));
    assert_eq!(place("/ä"), Some((2, 3)));
    assert_eq!(place("/list"), Some((2, 11)), "columns are characters, not bytes");
    assert_eq!(place("/list/0"), Some((2, 21)));
    assert_eq!(place("/list/1/x~1y"), Some((3, 7)));
    assert_eq!(place("/last"), Some((4, 3)));
    assert_eq!(place("/last/not/there"), Some((4, 3)), "the nearest parent");
    assert_eq!(place("/nothing"), Some((1, 1)));
}

#[test]
fn a_key_given_twice_is_reported_and_the_last_counts() {
    let parsed = read(r#"{ "a": 1, "b": { "c": 1, "c": 2 }, "a": 3 }"#).expect("JSON");
    assert_eq!(parsed.duplicates, ["/b/c", "/a"]);
    assert_eq!(parsed.value.get("a"), Some(&Value::from(3)));
    assert_eq!(parsed.value.pointer("/b/c"), Some(&Value::from(2)));
    assert_eq!(parsed.position("/a").map(|p| p.column), Some(36));
}

#[test]
fn several_values_one_after_the_other() {
    let text = " {\"a\":1}\n\n[2] ";
    let first = read_first(text).expect("the first");
    assert_eq!(first.value.get("a"), Some(&Value::from(1)));
    let second = read_first(&text[first.used..]).expect("the second");
    assert_eq!(second.value, Value::array([2]));
    assert!(read(text).is_err_and(|fault| fault.at.line == 3 && fault.expected.contains("end")));
}

#[test]
fn building_and_changing() {
    let mut value = Value::object([("a", 1.into()), ("b", Value::array(["x", "y"])), ("none", None::<u32>.into())]);
    assert_eq!(value.to_string(), r#"{"a":1,"b":["x","y"],"none":null}"#);
    assert!(value.set_pointer("/deep/er/0", 5.into()), "objects on the way are made");
    assert_eq!(value.pointer("/deep/er/0"), Some(&Value::from(5)));
    assert!(value.set_pointer("/b/2", "z".into()), "one after the last");
    assert!(!value.set_pointer("/b/9", "z".into()), "a gap");
    assert!(!value.set_pointer("/a/x", 1.into()), "through a number");
    assert_eq!(value.remove_pointer("/b/0"), Some(Value::from("x")));
    assert_eq!(value.remove_pointer("/b/9"), None);
    assert_eq!(value.remove_pointer("/none"), Some(Value::Null));
    assert_eq!(value.pointer("/b/1").and_then(Value::as_str), Some("z"));
    assert_eq!(value.pointer("no/slash"), None);
    let again = read(&value.pretty()).expect("the indented text is JSON").value;
    assert_eq!(again, value);
    assert!(value.pretty().contains("\n  \"b\": [\"y\", \"z\"],\n"), "{}", value.pretty());
}

#[test]
fn faults_say_what_was_found() {
    let fault = read("{\n  \"a\": tru }").expect_err("broken");
    assert_eq!((fault.at.line, fault.at.column, fault.found.as_str()), (2, 8, "`tru`"));
    assert!(fault.to_string().starts_with("line 2, column 8: expected a value"), "{fault}");
    let fault = read("{ \"a\": 1,, }").expect_err("broken");
    assert_eq!(fault.found, "`,`");
    let deep = format!("{}1{}", "[".repeat(json::DEPTH_MAX), "]".repeat(json::DEPTH_MAX));
    assert!(read(&deep).is_ok(), "exactly the limit");
}

/// Thousands of broken texts: no panic, and a place inside the text.
#[test]
fn nothing_panics() {
    let seed = r#"{ "a": [ 1, -2.5e3, "ä\u00e4\n", true, null, { "b": {} } ], "ü": "x" }"#;
    let alphabet: Vec<char> = "{}[]\",:\\u0d8e+-.truefalsn ä\n".chars().collect();
    let mut state = 3u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut broken = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = seed.chars().collect();
        for _ in 0..=next(4) {
            let at = next(text.len());
            match next(3) {
                0 => text[at] = alphabet[next(alphabet.len())],
                1 => text.insert(at, alphabet[next(alphabet.len())]),
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        match read(&text) {
            Ok(parsed) => assert_eq!(read(&parsed.value.to_string()).expect("written").value, parsed.value),
            Err(fault) => {
                broken += 1;
                assert!(fault.at.offset <= text.len() && fault.at.line >= 1 && !fault.expected.is_empty());
            }
        }
    }
    assert!(broken > 10_000);
}
