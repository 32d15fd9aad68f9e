//! The HTTP driver over real sockets, HTTP/1.1 and HTTP/2: what is released when, and by whom.

mod common;

use axum::Router;
use axum::body::Body;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::serve::ListenerExt;
use common::{ITEM, Probe, TERMINAL, envelope, item, raw};
use futures_util::{StreamExt, stream};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;
use wirelock_runtime::framing::{Event, Policy, RawItem, Untyped};
use wirelock_runtime::http::{ItemResponse, ResponseItems, read};
use wirelock_runtime::stream::Outcome;
use wirelock_runtime::{Code, Detail, Failure};

/// How soon a source has to be dropped after its client has left.
const LEFT: Duration = Duration::from_millis(100);

struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn start<R: IntoResponse + 'static>(
        handler: impl Fn() -> R + Clone + Send + Sync + 'static,
    ) -> Self {
        let app = Router::new().route(
            "/",
            get(move || std::future::ready(handler().into_response())),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&connections);
        let listener = listener.tap_io(move |_| {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        let task = tokio::spawn(async move { axum::serve(listener, app).await });
        Self {
            address,
            connections,
            task,
        }
    }

    async fn get(&self, client: &reqwest::Client) -> reqwest::Response {
        let request = client.get(format!("http://{}/", self.address)).send();
        request.await.expect("a response")
    }

    async fn items(&self, client: &reqwest::Client) -> ResponseItems<Untyped> {
        read(self.get(client).await, item(), Policy::default()).expect("success")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One client of each version; the default of a plain address is HTTP/1.1.
fn clients() -> [(&'static str, reqwest::Client); 2] {
    let http2 = reqwest::Client::builder().http2_prior_knowledge();
    [
        ("HTTP/1.1", reqwest::Client::new()),
        ("HTTP/2", http2.build().expect("a client")),
    ]
}

/// Gives these items, then waits for ever; asked behind a terminal item it panics.
fn source(
    probe: &Probe,
    items: &[&str],
) -> impl futures_util::Stream<Item = Result<RawItem, Failure>> + use<> {
    let guard = probe.guard();
    let probe = probe.clone();
    let mut items: std::collections::VecDeque<_> = items.iter().map(|text| raw(text)).collect();
    let mut over = false;
    stream::poll_fn(move |_| {
        let _ = &guard;
        assert!(!over, "polled again after the terminal item");
        let Some(item) = items.pop_front() else {
            return Poll::Pending;
        };
        over = item.as_str() == TERMINAL;
        probe.count(1);
        Poll::Ready(Some(Ok(item)))
    })
}

async fn count(items: &mut ResponseItems<Untyped>) -> usize {
    let mut count = 0;
    while let Some(event) = items.next().await {
        event.expect("no error");
        count += 1;
    }
    count
}

#[tokio::test]
async fn the_source_is_dropped_at_its_terminal_item_and_not_polled_again() {
    for (version, client) in clients() {
        let probe = Probe::default();
        let seen = probe.clone();
        let server = Server::start(move || {
            let source = source(&seen, &[ITEM, ITEM, TERMINAL, ITEM]);
            ItemResponse::new(source, item(), Policy::default())
        })
        .await;
        let response = server.get(&client).await;
        let headers = response.headers();
        assert_eq!(headers["content-type"], "application/x-ndjson");
        assert_eq!(headers["cache-control"], "no-cache");
        assert_eq!(headers["x-accel-buffering"], "no");
        let mut items = read(response, item(), Policy::default()).expect("success");
        assert_eq!(count(&mut items).await, 3, "{version}");
        probe.dropped_within(LEFT).await;
        assert_eq!(probe.bytes(), 3, "{version}");
    }
}

#[tokio::test]
async fn a_client_that_leaves_takes_the_source_with_it() {
    for (version, client) in clients() {
        let probe = Probe::default();
        let seen = probe.clone();
        let (ended, mut how) = tokio::sync::mpsc::unbounded_channel();
        let server = Server::start(move || {
            let ended = ended.clone();
            ItemResponse::new(source(&seen, &[ITEM]), item(), Policy::default())
                .observe(move |outcome| ended.send(outcome).expect("received"))
        })
        .await;
        let mut items = server.items(&client).await;
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        assert!(!probe.is_dropped());
        drop(items);
        let took = probe.dropped_within(LEFT).await;
        println!("{version}: the source was dropped {took:?} after the client had left");
        assert_eq!(how.recv().await, Some(Outcome::Gone));
    }
}

#[tokio::test]
async fn the_request_is_given_up_before_the_terminal_item_is_seen() {
    for (version, client) in clients() {
        let probe = Probe::default();
        let seen = probe.clone();
        // A server that does not end its response at the terminal item.
        let server = Server::start(move || {
            let guard = seen.guard();
            let mut lines = [ITEM, TERMINAL].into_iter();
            Body::from_stream(stream::poll_fn(move |_| {
                let _ = &guard;
                match lines.next() {
                    Some(line) => Poll::Ready(Some(Ok::<_, Never>(format!("{line}\n")))),
                    None => Poll::Pending,
                }
            }))
        })
        .await;
        let mut items = server.items(&client).await;
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        assert!(matches!(items.next().await, Some(Ok(Event::Terminal(_)))));
        // The caller stays at the terminal item, and holds nothing by it.
        assert!(items.source().is_none());
        let took = probe.dropped_within(LEFT).await;
        println!("{version}: the server was free {took:?} after the terminal item");
        assert!(items.next().await.is_none());
    }
}

/// The error type of a body that never fails.
type Never = std::convert::Infallible;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_serves_one_run_after_another() {
    for (version, client) in clients() {
        let probe = Probe::default();
        let server = Server::start(move || {
            let source = source(&probe, &[ITEM, TERMINAL]);
            ItemResponse::new(source, item(), Policy::default())
        })
        .await;
        for _ in 0..50 {
            let mut items = server.items(&client).await;
            assert_eq!(count(&mut items).await, 2);
            // The connection is on its way back to the client's pool on a task of its own.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let connections = server.connections.load(Ordering::SeqCst);
        println!("{version}: {connections} connections for 50 runs");
        // On a busy machine the client may still open another one before the first is back.
        assert!(connections <= 3, "{version}: {connections}");
    }
}

#[tokio::test]
async fn a_response_that_ends_early_proves_nothing() {
    for (version, client) in clients() {
        let server = Server::start(|| {
            let items = stream::iter([Ok(raw(ITEM)), Err(Failure::new("QUOTA"))]);
            ItemResponse::new(items, item(), Policy::default())
        })
        .await;
        let mut items = server.items(&client).await;
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        let error = items.next().await.expect("an error").expect_err("an error");
        assert_eq!(error.code(), Code::TerminalMissing, "{version}");

        let server = Server::start(|| {
            let items = stream::iter([Ok(raw(ITEM)), Err(Failure::new("QUOTA"))]);
            ItemResponse::new(items, envelope(), Policy::default())
        })
        .await;
        let response = server.get(&client).await;
        let mut items = read(response, envelope(), Policy::default()).expect("success");
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        let error = items.next().await.expect("an error").expect_err("an error");
        let Detail::Remote(failure) = error.detail() else {
            panic!("{version}: {error}");
        };
        assert_eq!(failure.code, "QUOTA");
    }
}

#[tokio::test]
async fn a_lifetime_ends_a_silent_response() {
    for (version, client) in clients() {
        let probe = Probe::default();
        let seen = probe.clone();
        let server = Server::start(move || {
            ItemResponse::new(source(&seen, &[ITEM]), envelope(), Policy::default())
                .lifetime(Duration::from_millis(80))
        })
        .await;
        let response = server.get(&client).await;
        let mut items = read(response, envelope(), Policy::default()).expect("success");
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        let error = items.next().await.expect("an error").expect_err("an error");
        let Detail::Remote(failure) = error.detail() else {
            panic!("{version}: {error}");
        };
        assert_eq!(failure.code, "STREAM_LIFETIME_EXCEEDED");
        assert!(probe.is_dropped());
    }
}

#[tokio::test]
async fn an_idle_deadline_gives_the_request_up() {
    for (_, client) in clients() {
        let probe = Probe::default();
        let seen = probe.clone();
        let server = Server::start(move || {
            ItemResponse::new(source(&seen, &[ITEM]), item(), Policy::default())
        })
        .await;
        let mut items = server
            .items(&client)
            .await
            .idle_within(Duration::from_millis(60));
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        let error = items.next().await.expect("an error").expect_err("an error");
        assert_eq!(error.code(), Code::IdleTimeout);
        probe.dropped_within(LEFT).await;
    }
}

#[tokio::test]
async fn a_slow_client_bounds_what_is_taken_from_the_source() {
    // What the systems' socket buffers and the two HTTP libraries may hold between source and
    // client. They do, and this crate adds one batch of 16 KiB.
    const BOUND: usize = 16 << 20;
    for (version, client) in clients() {
        let probe = Probe::default();
        let seen = probe.clone();
        let server = Server::start(move || {
            let guard = seen.guard();
            let probe = seen.clone();
            let pad = "x".repeat(16_000);
            let large = raw(&format!(r#"{{"type":"step","pad":"{pad}"}}"#));
            let source = stream::repeat_with(move || {
                let _ = &guard;
                probe.count(large.as_str().len() + 1);
                Ok::<_, Failure>(large.clone())
            });
            ItemResponse::new(source, item(), Policy::default())
        })
        .await;
        let mut items = server.items(&client).await;
        assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
        let taken = probe.settled().await;
        println!("{version}: {taken} bytes were taken while the client reads nothing");
        assert!(taken < BOUND, "{version}: {taken}");
        drop(items);
        probe.dropped_within(LEFT).await;
    }
}

#[tokio::test]
async fn a_response_of_failure_is_no_stream() {
    let server = Server::start(|| axum::http::StatusCode::SERVICE_UNAVAILABLE).await;
    let response = server.get(&reqwest::Client::new()).await;
    let error = read(response, item(), Policy::default()).expect_err("a failure");
    assert_eq!(error.code(), Code::ProtocolError);
    assert!(error.to_string().contains("503"), "{error}");
}

#[tokio::test]
async fn the_bound_of_http_frames_is_lower_where_nobody_says() {
    let server = Server::start(|| {
        let lines = ["x".repeat(300 << 10)];
        Body::from_stream(stream::iter(lines).map(Ok::<_, Never>))
    })
    .await;
    let client = reqwest::Client::new();
    let error = server.items(&client).await.next().await;
    let error = error.expect("an error").expect_err("an error");
    assert_eq!(error.code(), Code::FrameTooLarge);
    let policy = Policy {
        max_frame_bytes: Some(1 << 20),
        ..Policy::default()
    };
    let response = server.get(&client).await;
    let error = read(response, item(), policy)
        .expect("success")
        .next()
        .await;
    let error = error.expect("an error").expect_err("an error");
    assert_eq!(error.code(), Code::InvalidJson);
}
