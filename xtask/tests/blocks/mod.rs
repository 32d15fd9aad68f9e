//! The commands that a page of Markdown shows.

/// The `sh` blocks of a Markdown text, with the line each begins on.
pub(crate) fn of(markdown: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (line, number) in markdown.lines().zip(1..) {
        match &mut open {
            None if line.trim() == "```sh" => open = Some((number, String::new())),
            None => {}
            Some(_) if line.trim() == "```" => blocks.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    blocks
}
