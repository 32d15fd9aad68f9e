//! Serves runs over HTTP and reads one: `http TEXT`.

use anyhow::{Result, ensure};
use axum::Router;
use axum::routing::get;
use futures_util::{StreamExt, stream};
use stream_json::Line;
use wirelock_examples::{Outcome, number, run};
use wirelock_runtime::Failure;
use wirelock_runtime::framing::{Policy, Protocol};
use wirelock_runtime::http::{ItemResponse, read};

#[tokio::main]
async fn main() -> Result<()> {
    let answer = std::env::args().nth(1).unwrap_or_default();
    let serve = move || {
        let lines = run(&answer).map_err(Failure::from);
        // A line that could not be made is a failure of the producer, told as such.
        let lines = match lines {
            Ok(lines) => lines.into_iter().map(Ok).collect(),
            Err(failure) => vec![Err(failure)],
        };
        let numbered = stream::iter(lines)
            .zip(stream::iter(0..))
            .map(|(line, seq)| {
                line.map(|mut line| {
                    number(&mut line, seq);
                    line
                })
            });
        let response = ItemResponse::new(numbered, Protocol::of::<Line>(), Policy::default());
        std::future::ready(response)
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let app = Router::new().route("/run", get(serve));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let response = reqwest::get(format!("http://{address}/run")).await?;
    let mut items = read(response, Protocol::of::<Line>(), Policy::default())?;
    let mut outcome = Outcome::default();
    while let Some(event) = items.next().await {
        if let Some(line) = event?.into_item() {
            outcome.take(&line);
        }
    }
    println!("{}", outcome.text.as_deref().unwrap_or_default());
    ensure!(outcome.success == Some(true), "the run failed");
    Ok(())
}
