//! The pages of reports in a headless Chromium: what is seen, at which widths, by keyboard alone.
//!
//! `WIRELOCK_CHROMIUM` names the browser; else one of the usual names is looked for. Pictures of
//! the pages are kept below the target folder, in `tmp/browser`.

#[path = "browser/devtools.rs"]
mod devtools;
#[path = "browser/pages.rs"]
mod pages;
#[allow(
    dead_code,
    reason = "the tests of the formats use more of these reports than the pages do"
)]
#[path = "formats/reports.rs"]
mod reports;

use devtools::{Browser, program};
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

/// A phone, which is the narrowest that pages are made for.
const PHONE: (u32, u32) = (360, 740);
const DESK: (u32, u32) = (1024, 800);

type Test = fn(&mut Browser);

const TESTS: [(&str, Test); 6] = [
    ("what_is_looked_for_is_found_on_a_page_that_has_it", probes),
    (
        "pages_fit_any_screen_in_both_schemes_and_complain_of_nothing",
        fit,
    ),
    (
        "a_reader_without_scripts_sees_everything_and_unfolds_by_keyboard",
        without_scripts,
    ),
    (
        "the_filter_is_found_typed_into_and_taken_back_by_keyboard",
        filter,
    ),
    (
        "links_lead_into_folded_parts_and_hostile_text_does_nothing",
        links,
    ),
    (
        "a_history_shows_its_refused_steps_and_folds_the_others",
        steps,
    ),
];

fn main() {
    let Some(program) = program() else {
        // Nothing was tried, so it is told as ignored, and fails where somebody asks for it.
        let name = "not_present::no_chromium_was_found_so_no_page_was_opened";
        let trial = Trial::test(name, || {
            Err("there is no browser to open a page with".into())
        });
        let trial = trial.with_ignored_flag(true);
        libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit();
    };
    let trial = |(name, test): (&'static str, Test)| {
        let program = program.clone();
        Trial::test(name, move || {
            test(&mut Browser::start(&program, name));
            Ok(())
        })
    };
    let trials = TESTS.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, text).expect("written");
    path
}

/// Keeps a picture of a page from its top.
fn keep(browser: &mut Browser, name: &str, width: u32) {
    let height = browser.value("document.documentElement.scrollHeight");
    let height = u32::try_from(height.as_u64().expect("a height")).expect("a small one");
    let picture = browser.picture(width, height.min(4000));
    assert!(picture.starts_with(b"\x89PNG"), "{name}");
    std::fs::write(folder().join(name), picture).expect("written");
}

fn number(browser: &mut Browser, expression: &str) -> u64 {
    let value = browser.value(expression);
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{expression}: {value}"))
}

fn truth(browser: &mut Browser, expression: &str) -> bool {
    let value = browser.value(expression);
    value
        .as_bool()
        .unwrap_or_else(|| panic!("{expression}: {value}"))
}

fn seen(selector: &str) -> String {
    format!(
        "[...document.querySelectorAll('{selector}')].filter(one => one.checkVisibility()).length"
    )
}

/// Everything that is shown lies within the page, and the page within the screen.
const OVERFLOWING: &str = "[...document.querySelectorAll('body *')].filter(one => one.checkVisibility()
    && one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5).map(one => one.outerHTML.slice(0, 120))";

fn fits(browser: &mut Browser, name: &str, screen: u32) {
    let width = number(browser, "document.documentElement.clientWidth");
    // A browser makes a page wider than a phone where the page does not forbid it; a bar at the side
    // of a desk's window takes a little.
    let bar = if screen == PHONE.0 { 0 } else { 20 };
    let screen = u64::from(screen);
    assert!(
        (screen - bar..=screen).contains(&width),
        "{name}: {width} on {screen}"
    );
    let needed = number(browser, "document.documentElement.scrollWidth");
    assert!(needed <= width, "{name}: {needed} on {width}");
    let beyond = browser.value(OVERFLOWING);
    assert_eq!(beyond, serde_json::json!([]), "{name}");
}

/// What the other tests rest on: that a fault would be seen.
fn probes(browser: &mut Browser) {
    let wide = "<!DOCTYPE html><meta name=viewport content='width=device-width'><title>wide</title><div style='width: 50rem'>x</div>\
         <script>console.error('said'); undefined.thrown</script>";
    browser.resize(PHONE.0, PHONE.1);
    browser.open(&file("wide.html", wide));
    let beyond = browser.value(OVERFLOWING);
    assert_eq!(beyond.as_array().map(Vec::len), Some(1), "{beyond}");
    assert_eq!(browser.complaints().len(), 2);
    // Scripts that the page forbids itself are told of as well.
    let forbidden = "<!DOCTYPE html><meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">\
         <title>forbidden</title><script>document.title = 'ran'</script>";
    browser.open(&file("forbidden.html", forbidden));
    assert_eq!(browser.value("document.title"), "forbidden");
    assert_eq!(browser.complaints().len(), 1);
    // Without scripts a page stays as it was written.
    browser.allow_scripts(false);
    browser.open(&file("wide.html", wide));
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

fn fit(browser: &mut Browser) {
    let views = [
        ("phone-light", PHONE, "light"),
        ("desk-dark", DESK, "dark"),
        ("phone-dark", PHONE, "dark"),
        ("desk-light", DESK, "light"),
    ];
    for (name, text) in pages::all() {
        let page = file(&format!("{name}.html"), &text);
        // The first two have each width and each scheme, which is enough but for the usual pages.
        let count = match name.as_str() {
            "change" | "history" => views.len(),
            _ => 2,
        };
        for (view, (width, height), scheme) in &views[..count] {
            browser.resize(*width, *height);
            browser.prefer(scheme);
            browser.open(&page);
            fits(browser, &name, *width);
            keep(browser, &format!("{name}-{view}.png"), *width);
            let back = browser.value("getComputedStyle(document.body).backgroundColor");
            let is_white = back == "rgb(255, 255, 255)";
            assert_eq!(is_white, *scheme == "light", "{name}: {back}");
            // Unfolded as well, where the deepest names stand.
            browser.value("document.querySelectorAll('details').forEach(one => one.open = true)");
            fits(browser, &name, *width);
            let complaints = browser.complaints();
            assert_eq!(complaints, Vec::<serde_json::Value>::new(), "{name}");
        }
    }
}

fn without_scripts(browser: &mut Browser) {
    browser.resize(DESK.0, DESK.1);
    let page = file("plain.html", &pages::change());
    browser.allow_scripts(false);
    browser.open(&page);
    assert_eq!(number(browser, &seen("form")), 0);
    assert_eq!(number(browser, &seen("[hidden]")), 0);
    // What changed is in sight at first: nothing has to be unfolded for it.
    let articles = number(browser, "document.querySelectorAll('article').length");
    assert!(articles >= 4);
    assert_eq!(number(browser, &seen("article")), articles);
    for text in ["spent_ms", "duration_ms", "retries", "golden/run.jsonl:7"] {
        let shown = browser.value("document.body.innerText");
        assert!(shown.as_str().expect("text").contains(text), "{text}");
    }
    // From the top: the list of findings, its links, and then the tree.
    let folded = "document.querySelector('.tree details:not([open]) > summary')";
    let steps = tab_to(browser, folded);
    assert!(steps > articles, "each finding is a step before it");
    let at = "document.activeElement.parentElement.open";
    assert!(!truth(browser, at));
    browser.press("Enter");
    assert!(truth(browser, at));
    browser.press("Space");
    assert!(!truth(browser, at));
}

/// Presses Tab until the focus is where an expression says.
fn tab_to(browser: &mut Browser, expression: &str) -> u64 {
    // What is sought is kept, since unfolding may change what the expression finds. Expressions are
    // evaluated by the protocol, which is no script of the page.
    browser.value(&format!("globalThis.sought = {expression}, 0"));
    for step in 1..200 {
        browser.press("Tab");
        let focus = "[document.activeElement === globalThis.sought, getComputedStyle(document.activeElement).outlineStyle]";
        let focus = browser.value(focus);
        assert_ne!(focus[1], "none", "the focus can be seen");
        if focus[0] == true {
            return step;
        }
    }
    panic!("{expression} cannot be reached by keyboard");
}

fn filter(browser: &mut Browser) {
    browser.resize(DESK.0, DESK.1);
    let page = file("filter.html", &pages::change());
    browser.open(&page);
    let all = number(browser, &seen(".tree li"));
    let items = number(browser, "document.querySelectorAll('.tree li').length");
    tab_to(browser, "document.querySelector('input[type=search]')");
    // A member of a line that is folded at first, and that nothing happened to.
    browser.type_text("hook_");
    let none = number(browser, &seen(".tree li"));
    assert_eq!(none, 0, "there is none of that name");
    browser.value("document.activeElement.select()");
    browser.type_text("TASK_STARTED");
    let found = number(browser, &seen(".tree > li > details > ul > li"));
    assert_eq!(found, 1, "one line has that name, in capitals or not");
    assert_eq!(number(browser, &seen("article")), 0);
    let said = browser.value("document.querySelector('output').textContent");
    let said = said.as_str().expect("text").to_owned();
    assert!(said.ends_with(&format!(" of {items}")), "{said}");
    browser.value("document.activeElement.select()");
    browser.type_text("retries");
    assert_eq!(number(browser, &seen(".tree .added")), 1);
    // What matches deep inside is unfolded, and folded again when the words are gone.
    let unfolded = seen(".tree > li > details > ul > li > details[open]");
    assert_eq!(number(browser, &unfolded), 1);
    browser.value("document.activeElement.select()");
    browser.press("Backspace");
    assert_eq!(number(browser, &seen(".tree li")), all);

    // Only what is refused: the other boxes are emptied by the space bar.
    let boxes = number(
        browser,
        "document.querySelectorAll('input[type=checkbox]').length",
    );
    for at in 0..boxes {
        let one = format!("document.querySelectorAll('input[type=checkbox]')[{at}]");
        if browser.value(&format!("{one}.value")) != "breaking" {
            browser.value("document.querySelector('input[type=search]').focus()");
            tab_to(browser, &one);
            browser.press("Space");
        }
    }
    let left = number(browser, &seen("article"));
    assert_eq!(
        left,
        number(
            browser,
            "document.querySelectorAll('article[data-kind=breaking]').length"
        )
    );
    assert_eq!(number(browser, &seen(".index li")), left);

    // A link to what the filter hides brings it back.
    browser.value("location.hash = document.querySelector('.index li[hidden] a').hash, new Promise(done => setTimeout(done, 100))");
    assert_eq!(number(browser, &seen(":target")), 1);
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

fn links(browser: &mut Browser) {
    browser.resize(DESK.0, DESK.1);
    browser.open(&file("links.html", &pages::change()));
    // A shape that is told elsewhere: following the link unfolds where it is told.
    let link = "[...document.querySelectorAll('.tree a[href^=\"#e\"]')].find(one => !document.querySelector(one.hash).checkVisibility())";
    browser.value(&format!(
        "{link}.click(), new Promise(done => setTimeout(done, 100))"
    ));
    assert_eq!(number(browser, &seen(":target")), 1);

    let hostile = pages::all().into_iter().find(|(name, _)| name == "hostile");
    let (name, text) = hostile.expect("the page");
    browser.open(&file(&format!("{name}.html"), &text));
    let own = "document.scripts.length === 1 && document.images.length === 0 && document.links.length === document.querySelectorAll('a[href^=\"#\"]').length";
    assert!(truth(browser, own));
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}

fn steps(browser: &mut Browser) {
    browser.resize(DESK.0, DESK.1);
    browser.open(&file("steps.html", &pages::history()));
    assert_eq!(number(browser, &seen(".steps > li")), 4);
    assert_eq!(
        number(browser, &seen(".steps > li.refused article.error")),
        1
    );
    assert_eq!(number(browser, &seen(".steps > li.accepted article")), 0);
    // The charts are drawn, as wide as their boxes.
    let drawn = "[...document.querySelectorAll('svg')].every(one => one.getBoundingClientRect().width > 100 && one.querySelector('polyline').getTotalLength() > 100)";
    assert!(truth(browser, drawn));
    tab_to(
        browser,
        "document.querySelector('.steps > li.accepted summary')",
    );
    browser.press("Enter");
    assert!(number(browser, &seen(".steps > li.accepted article")) > 0);
    tab_to(
        browser,
        "document.querySelector('.steps > li.refused summary')",
    );
    // By the name of a member that one step adds.
    browser.value("document.querySelector('input[type=search]').focus()");
    browser.type_text("retries");
    assert_eq!(number(browser, &seen(".steps > li")), 1);
    assert_eq!(browser.complaints(), Vec::<serde_json::Value>::new());
}
