//! HTML, read by the HTML5 parser of a browser engine.

use crate::reports::{HOSTILE, hostile, judged, written};
use scraper::{Html, Selector};
use sha2::{Digest as _, Sha256};

fn page(text: &str) -> Html {
    let page = Html::parse_document(text);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    page
}

fn count(page: &Html, selector: &str) -> usize {
    page.select(&Selector::parse(selector).expect("a selector"))
        .count()
}

#[test]
fn hostile_text_is_text() {
    let text = written("html", &hostile());
    let page = page(&text);
    assert_eq!(count(&page, "script"), 1);
    assert_eq!(count(&page, "img, b, a, iframe, object, link, base"), 0);
    for element in page.tree.values().filter_map(|node| node.as_element()) {
        for (name, value) in element.attrs() {
            let own = [
                "lang",
                "charset",
                "name",
                "content",
                "http-equiv",
                "class",
                "data-kind",
                "scope",
                "hidden",
                "role",
                "type",
                "value",
                "checked",
                "open",
            ];
            assert!(own.contains(&name), "{name}={value}");
        }
    }
    let readable = HOSTILE.split('\u{1b}').next().expect("a start").trim_end();
    let all: String = page.root_element().text().collect();
    assert!(all.contains(readable), "it is shown all the same");
}

#[test]
fn the_page_lets_its_own_script_run_and_nothing_else() {
    let text = written("html", &hostile());
    let page = page(&text);
    let select = |selector: &str| {
        let selector = Selector::parse(selector).expect("a selector");
        page.select(&selector).next().expect("one").to_owned()
    };
    let script: String = select("script").text().collect();
    let digest = base64(&Sha256::digest(script));
    let policy = select("meta[http-equiv=Content-Security-Policy]");
    let policy = policy.attr("content").expect("a policy").to_owned();
    assert!(
        policy.contains(&format!("script-src 'sha256-{digest}';")),
        "{policy} lacks {digest}"
    );
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
}

#[test]
fn each_finding_stands_below_its_element_with_both_places_marked() {
    let schema = |name: &str| {
        format!(
            "{{\n  \"type\": \"object\",\n  \"properties\": {{\n    \"{name}\": {{\"type\": \"string\"}}\n  }}\n}}\n"
        )
    };
    let report = judged(&schema("name"), &schema("label"));
    let page = page(&written("html", &report));
    assert_eq!(count(&page, "details > article.error"), 1);
    let marked = Selector::parse("article mark").expect("a selector");
    let marked: Vec<String> = page
        .select(&marked)
        .map(|mark| mark.text().collect())
        .collect();
    assert_eq!(marked, ["{\"type\": \"string\"}", "{\"type\": \"string\"}"]);
    // Without a script nothing is hidden but the form that would do nothing.
    assert_eq!(count(&page, "[hidden]"), 1);
    assert_eq!(count(&page, "form[hidden]"), 1);
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let value = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for index in 0..4 {
            let digit = (value >> (18 - 6 * index)) & 63;
            out.push(if index <= chunk.len() {
                char::from(DIGITS[digit as usize])
            } else {
                '='
            });
        }
    }
    out
}
