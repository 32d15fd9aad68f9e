//! Every case through every driver: a blocking reader, tokio, a child process, and HTTP.

mod cases;

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::routing::get;
use cases::{Case, Read, chunkings, handed, own, policy, protocol};
use std::io::{BufReader, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use wirelock_runtime::blocking::ItemReader;
use wirelock_runtime::framing::Codec;
use wirelock_runtime::stream::{Items, Source};
use wirelock_runtime::{http, process};

fn all() -> Vec<Case> {
    let mut cases = own();
    cases.extend(handed());
    // A stream that stays open is stopped by its reader, which is tested driver by driver.
    cases.retain(|case| case.spec["stop"].is_null());
    cases
}

fn conclude(faults: &[String]) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn blocking() {
    let mut faults = Vec::new();
    for case in all() {
        for capacity in [1, 7, 64 << 10] {
            let source = BufReader::with_capacity(capacity, &case.wire[..]);
            let mut reader = ItemReader::new(source, protocol(&case.spec), policy(&case.spec));
            let mut read = Read::default();
            while read.take(reader.next()) {}
            assert!(
                reader.source().is_none(),
                "{}: the source is kept",
                case.name
            );
            faults.extend(case.fault(&read));
        }
    }
    conclude(&faults);
}

#[tokio::test]
async fn tokio_reader() {
    let mut faults = Vec::new();
    for case in all() {
        for (_, chunks) in chunkings(&case.wire) {
            let source = Trickle {
                chunks: chunks
                    .into_iter()
                    .filter(|chunk| !chunk.is_empty())
                    .collect(),
                waits: true,
            };
            let items = Items::read(source, protocol(&case.spec), policy(&case.spec));
            faults.extend(case.fault(&drain(items).await));
        }
    }
    conclude(&faults);
}

#[tokio::test]
async fn child_process() {
    let folder = std::env::temp_dir().join(format!("wirelock-cases-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut faults = Vec::new();
    for case in all() {
        let path = folder.join("wire");
        let mut file = std::fs::File::create(&path).expect("a file");
        file.write_all(&case.wire).expect("a wire");
        let mut command = tokio::process::Command::new("cat");
        command.arg(&path);
        let mut child =
            process::spawn(command, protocol(&case.spec), policy(&case.spec)).expect("a child");
        let mut read = Read::default();
        while read.take(child.items.next().await) {}
        assert!(
            child.ended().await.status.is_some(),
            "{}: not waited for",
            case.name
        );
        faults.extend(case.fault(&read));
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    conclude(&faults);
}

#[tokio::test]
async fn over_http() {
    let cases = Arc::new(all());
    let wires: Vec<Vec<u8>> = cases.iter().map(|case| case.wire.clone()).collect();
    let serve = move |Path(index): Path<usize>| {
        let wire = wires[index].clone();
        async move {
            // A few bytes at a time, so that frames are cut.
            let chunks: Vec<_> = wire
                .chunks(11)
                .map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec()))
                .collect();
            Body::from_stream(futures_util::stream::iter(chunks))
        }
    };
    let app = Router::new().route("/{index}", get(serve));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(async move { axum::serve(listener, app).await });
    let mut faults = Vec::new();
    for client in [
        reqwest::Client::new(),
        reqwest::Client::builder()
            .http2_prior_knowledge()
            .build()
            .expect("a client"),
    ] {
        for (index, case) in cases.iter().enumerate() {
            let response = client.get(format!("http://{address}/{index}")).send().await;
            let response = response.expect("a response");
            let items = http::read(response, protocol(&case.spec), policy(&case.spec));
            faults.extend(case.fault(&drain(items.expect("success")).await));
        }
    }
    server.abort();
    conclude(&faults);
}

async fn drain<S: Source, C: Codec<Item = wirelock_runtime::framing::RawItem>>(
    mut items: Items<S, C>,
) -> Read {
    let mut read = Read::default();
    while read.take(items.next().await) {}
    assert!(items.source().is_none(), "the source is kept");
    read
}

/// Gives one chunk at a time and makes its reader wait between them.
struct Trickle<'a> {
    chunks: std::collections::VecDeque<&'a [u8]>,
    waits: bool,
}

impl AsyncRead for Trickle<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        self.waits = !self.waits;
        if !self.waits {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Some(chunk) = self.chunks.pop_front() {
            let (now, later) = chunk.split_at(chunk.len().min(buffer.remaining()));
            buffer.put_slice(now);
            if !later.is_empty() {
                self.chunks.push_front(later);
            }
        }
        Poll::Ready(Ok(()))
    }
}
