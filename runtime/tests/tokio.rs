//! The tokio driver: cancelling, deadlines, backpressure, and what is released when.

mod common;

use common::{Guard, ITEM, Probe, TERMINAL, envelope, item, raw};
use futures_util::{SinkExt, StreamExt, stream};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, DuplexStream, ReadBuf, duplex};
use tokio::time::timeout;
use wirelock_runtime::framing::{Event, Policy, RawItem};
use wirelock_runtime::stream::{Chunks, ItemSink, Items, send};
use wirelock_runtime::{Code, Failure};

/// A reader that tells when it is dropped.
struct Watched(
    DuplexStream,
    #[expect(dead_code, reason = "its drop tells")] Guard,
);

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

#[tokio::test]
async fn the_source_is_dropped_before_the_terminal_item_is_seen_though_it_stays_open() {
    let probe = Probe::default();
    let (reader, mut writer) = duplex(1 << 10);
    let mut items = Items::read(Watched(reader, probe.guard()), item(), Policy::default());
    writer
        .write_all(format!("{ITEM}\n{TERMINAL}\n{{").as_bytes())
        .await
        .expect("sent");
    assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
    assert!(!probe.is_dropped());
    assert!(matches!(items.next().await, Some(Ok(Event::Terminal(_)))));
    assert!(probe.is_dropped());
    assert!(items.next().await.is_none());
}

#[tokio::test]
async fn waiting_may_be_given_up_at_any_byte() {
    let (reader, mut writer) = duplex(1);
    let mut items = Items::read(reader, item(), Policy::default());
    let wire = format!("{ITEM}\n\r\n{ITEM}\n{TERMINAL}\n");
    let writing = async move {
        for byte in wire.bytes() {
            writer.write_all(&[byte]).await.expect("sent");
            tokio::task::yield_now().await;
        }
    };
    let writing = tokio::spawn(writing);
    let mut events = Vec::new();
    loop {
        // Each wait is given up after one look at the source.
        tokio::select! {
            biased;
            event = items.next() => match event {
                Some(event) => events.push(event.expect("no error")),
                None => break,
            },
            () = tokio::task::yield_now() => {}
        }
    }
    writing.await.expect("written");
    assert_eq!(events.len(), 3);
    assert!(matches!(events.last(), Some(Event::Terminal(_))));
}

#[tokio::test]
async fn silence_is_ended_by_the_idle_deadline_and_heartbeats_are_none() {
    let (reader, mut writer) = duplex(64);
    let idle = Duration::from_millis(120);
    let mut items = Items::read(reader, item(), Policy::default()).idle_within(idle);
    let beating = tokio::spawn(async move {
        for _ in 0..8 {
            tokio::time::sleep(Duration::from_millis(40)).await;
            writer.write_all(b"\n").await.expect("sent");
        }
        writer
    });
    let start = Instant::now();
    let error = items.next().await.expect("an error").expect_err("an error");
    assert_eq!((error.code(), error.line()), (Code::IdleTimeout, Some(9)));
    assert!(
        start.elapsed() >= Duration::from_millis(400),
        "{:?}",
        start.elapsed()
    );
    assert!(items.source().is_none());
    drop(beating.await);
}

#[tokio::test]
async fn heartbeats_do_not_hold_the_total_deadline_up() {
    let heartbeats = tokio::io::repeat(b'\n');
    let total = Duration::from_millis(50);
    let mut items = Items::read(heartbeats, item(), Policy::default()).within(total);
    let error = timeout(Duration::from_secs(5), items.next())
        .await
        .expect("in time");
    let error = error.expect("an error").expect_err("an error");
    assert_eq!(error.code(), Code::LifetimeExceeded);
}

#[tokio::test]
async fn a_reader_is_stopped_from_elsewhere() {
    let probe = Probe::default();
    let (reader, mut writer) = duplex(64);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let source = Watched(reader, probe.guard());
    let mut items = Items::read(source, item(), Policy::default()).abort_on(async {
        let _ = stopped.await;
    });
    writer
        .write_all(format!("{ITEM}\n").as_bytes())
        .await
        .expect("sent");
    assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
    stop.send(()).expect("waited for");
    for _ in 0..3 {
        let error = items.next().await.expect("an error").expect_err("an error");
        assert_eq!(error.code(), Code::Aborted);
        assert!(probe.is_dropped());
    }
}

fn endless(
    probe: &Probe,
    size: usize,
) -> impl futures_util::Stream<Item = Result<RawItem, Failure>> + use<> {
    let probe = probe.clone();
    let guard = probe.guard();
    let item = raw(&format!(
        r#"{{"type":"step","pad":"{}"}}"#,
        "x".repeat(size)
    ));
    stream::repeat_with(move || {
        let _ = &guard;
        probe.count(item.as_str().len() + 1);
        Ok(item.clone())
    })
}

#[tokio::test]
async fn a_slow_reader_bounds_what_is_taken_from_the_source() {
    let (size, pipe) = (1_000, 8 << 10);
    let probe = Probe::default();
    let (reader, writer) = duplex(pipe);
    let chunks = Chunks::new(endless(&probe, size), item(), Policy::default());
    let sending = tokio::spawn(send(chunks, writer));
    let mut items = Items::read(reader, item(), Policy::default());
    assert!(matches!(items.next().await, Some(Ok(Event::Item(_)))));
    let taken = probe.settled().await;
    // The writer holds one batch of 16 KiB and an item; the reader has read one chunk, which is
    // what the pipe holds, and the pipe is full again.
    let bound = (16 << 10) + size + 64 + 2 * pipe;
    println!("taken {taken} bytes of at most {bound}");
    assert!(taken <= bound, "{taken} of {bound}");
    drop(items);
    probe.dropped_within(Duration::from_millis(100)).await;
    assert_eq!(sending.await.expect("ended"), Ok(()));
}

#[tokio::test]
async fn a_sink_holds_no_more_than_its_bound_and_one_frame() {
    let (size, pipe) = (1_000, 1 << 10);
    let probe = Probe::default();
    let (mut reader, writer) = duplex(pipe);
    let mut sink = ItemSink::new(writer, item(), Policy::default());
    let mut source = Box::pin(endless(&probe, size));
    let filling = async {
        while let Some(item) = source.next().await {
            sink.feed(item.expect("an item")).await.expect("taken");
        }
    };
    assert!(timeout(Duration::from_millis(100), filling).await.is_err());
    let bound = (64 << 10) + size + 64;
    println!("held {} bytes of at most {bound}", sink.held());
    assert!(sink.held() <= bound);
    // The item that was about to be sent is the one that is lost with its sender, and no other.
    let reading = tokio::spawn(async move {
        let mut wire = String::new();
        reader.read_to_string(&mut wire).await.expect("text");
        wire
    });
    sink.send(raw(TERMINAL)).await.expect("taken");
    assert!(sink.is_over());
    sink.close().await.expect("closed");
    let wire = reading.await.expect("read");
    assert!(wire.ends_with(&format!("\n{TERMINAL}\n")));
    for line in wire.lines() {
        raw(line);
    }
}

#[tokio::test]
async fn a_sink_that_is_closed_without_terminal_item_says_so() {
    let mut wire = Vec::new();
    let mut sink = ItemSink::new(&mut wire, envelope(), Policy::default());
    sink.send(raw(ITEM)).await.expect("taken");
    let error = sink.close().await.expect_err("no terminal item");
    assert_eq!(error.code(), Code::TerminalMissing);
    let wire = String::from_utf8(wire).expect("text");
    assert!(
        wire.ends_with("{\"type\":\"error\",\"error\":{\"code\":\"STREAM_TERMINAL_MISSING\"}}\n")
    );
}

#[tokio::test]
async fn a_source_is_dropped_with_its_terminal_item_and_not_polled_again() {
    let probe = Probe::default();
    let guard = probe.guard();
    let mut given = 0;
    let source = stream::poll_fn(move |_| {
        let _ = &guard;
        given += 1;
        assert!(given <= 2, "polled again after the terminal item");
        let item = raw(if given == 1 { ITEM } else { TERMINAL });
        Poll::Ready(Some(Ok::<_, Failure>(item)))
    });
    let mut chunks = Chunks::new(source, item(), Policy::default());
    let bytes = chunks.next().await.expect("bytes");
    assert_eq!(bytes, format!("{ITEM}\n{TERMINAL}\n"));
    assert!(probe.is_dropped());
    assert_eq!(chunks.next().await, None);
    assert_eq!(chunks.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn a_silent_source_has_heartbeats_and_a_lifetime() {
    for (contract, last) in [
        (item(), None),
        (
            envelope(),
            Some("{\"type\":\"error\",\"error\":{\"code\":\"STREAM_LIFETIME_EXCEEDED\"}}\n"),
        ),
    ] {
        let probe = Probe::default();
        let guard = probe.guard();
        let silent = stream::poll_fn(move |_| {
            let _ = &guard;
            Poll::<Option<Result<RawItem, Failure>>>::Pending
        });
        let mut chunks = Chunks::new(silent, contract, Policy::default())
            .heartbeat(Some(Duration::from_secs(5)))
            .lifetime(Some(Duration::from_secs(12)));
        let start = tokio::time::Instant::now();
        for seconds in [0, 5, 10] {
            assert_eq!(chunks.next().await.expect("a heartbeat"), "\n");
            assert_eq!(start.elapsed().as_secs(), seconds);
        }
        assert_eq!(chunks.next().await.as_deref(), last.map(str::as_bytes));
        assert_eq!(start.elapsed().as_secs(), 12);
        assert!(probe.is_dropped());
        assert_eq!(chunks.next().await, None);
    }
}

#[tokio::test]
async fn internals_of_a_failure_stay_inside() {
    let failing = stream::iter([
        Ok(raw(ITEM)),
        Err(std::io::Error::other("/etc/secret: no such file")),
    ]);
    let mut chunks = Chunks::new(failing, envelope(), Policy::default());
    let mut wire = Vec::new();
    while let Some(chunk) = chunks.next().await {
        wire.extend_from_slice(&chunk);
    }
    let wire = String::from_utf8(wire).expect("text");
    assert!(wire.contains("\"code\":\"INTERNAL\""), "{wire}");
    assert!(!wire.contains("secret"), "{wire}");
}
