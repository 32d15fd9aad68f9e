//! The pages of reports in a headless Chromium: what is seen, at which widths, by keyboard alone.
//!
//! `WIRELOCK_CHROMIUM` names the browser; else one of the usual names is looked for. Pictures of
//! the pages are kept below the target folder, in `tmp/browser`.

#[path = "browser/devtools.rs"]
mod devtools;
#[path = "browser/pages.rs"]
mod pages;
#[allow(dead_code)]
#[path = "formats/reports.rs"]
mod reports;

use devtools::{Browser, program};
use std::path::{Path, PathBuf};

/// A phone, which is the narrowest that pages are made for.
const PHONE: (u32, u32) = (360, 740);
const DESK: (u32, u32) = (1024, 800);

/// Runs a test in a browser, where there is one.
fn with_browser(name: &str, test: impl FnOnce(&mut Browser)) {
    let Some(program) = program() else {
        // Written past the capture of tests, so that a run without a browser shows that it had none.
        use std::io::Write as _;
        let _ = writeln!(
            std::io::stderr(),
            "not present: a Chromium for the test {name}; install one, or name it in WIRELOCK_CHROMIUM"
        );
        return;
    };
    test(&mut Browser::start(&program, name));
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
    let picture = browser.picture(width, height.min(6000));
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

fn fits(browser: &mut Browser, name: &str) {
    let width = number(browser, "document.documentElement.clientWidth");
    let needed = number(browser, "document.documentElement.scrollWidth");
    assert!(needed <= width, "{name}: {needed} on {width}");
    let beyond = browser.value(OVERFLOWING);
    assert_eq!(beyond, serde_json::json!([]), "{name}");
}

#[test]
fn pages_fit_any_screen_in_both_schemes_and_complain_of_nothing() {
    with_browser("fit", |browser| {
        for (name, text) in pages::all() {
            let page = file(&format!("{name}.html"), &text);
            for (place, (width, height)) in [("phone", PHONE), ("desk", DESK)] {
                for scheme in ["light", "dark"] {
                    browser.resize(width, height);
                    browser.prefer(scheme);
                    browser.open(&page);
                    fits(browser, &name);
                    keep(browser, &format!("{name}-{place}-{scheme}.png"), width);
                    let back = browser.value("getComputedStyle(document.body).backgroundColor");
                    let back = back.as_str().expect("a colour").to_owned();
                    assert_eq!(back == "rgb(255, 255, 255)", scheme == "light", "{back}");
                    // Unfolded as well, where the deepest names stand.
                    let unfold =
                        "document.querySelectorAll('details').forEach(one => one.open = true)";
                    browser.value(unfold);
                    fits(browser, &name);
                    let complaints = browser.complaints();
                    assert_eq!(complaints, Vec::<serde_json::Value>::new(), "{name}");
                }
            }
        }
    });
}

#[test]
fn a_reader_without_scripts_sees_everything_and_unfolds_by_keyboard() {
    with_browser("plain", |browser| {
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
    });
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

#[test]
fn the_filter_is_found_typed_into_and_taken_back_by_keyboard() {
    with_browser("filter", |browser| {
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
    });
}

#[test]
fn links_lead_into_folded_parts_and_hostile_text_does_nothing() {
    with_browser("links", |browser| {
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
    });
}

#[test]
fn a_history_shows_its_refused_steps_and_folds_the_others() {
    with_browser("history", |browser| {
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
    });
}
