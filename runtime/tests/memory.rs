//! Memory over long streams, measured. `WIRELOCK_STREAM_BYTES` asks for longer ones, as 1000000000.

mod common;

use common::item;
use std::io::{BufReader, Read};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use wirelock_runtime::blocking::ItemReader;
use wirelock_runtime::framing::{Event, Policy};
use wirelock_runtime::stream::Items;

/// What the process may grow by between its first mebibytes and its last.
const SLACK: u64 = 2 << 20;

/// Lines of a few hundred bytes and then one of 600 KiB, again and again, made as they are read.
struct Generated {
    left: u64,
    block: Vec<u8>,
    at: usize,
}

impl Generated {
    fn new(bytes: u64) -> Self {
        let mut block = Vec::new();
        for index in 0..4_000 {
            let pad = "é".repeat(index % 300);
            block.extend_from_slice(
                format!("{{\"type\":\"step\",\"n\":{index},\"pad\":\"{pad}\"}}\n").as_bytes(),
            );
        }
        let large = "x".repeat(600 << 10);
        block.extend_from_slice(format!("{{\"type\":\"step\",\"pad\":\"{large}\"}}\n").as_bytes());
        Self {
            left: bytes,
            block,
            at: 0,
        }
    }

    fn fill(&mut self, buffer: &mut [u8]) -> usize {
        if self.left == 0 {
            return 0;
        }
        let rest = &self.block[self.at..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at = (self.at + length) % self.block.len();
        // The stream ends with a whole block, so that its last line is whole.
        if self.at == 0 {
            self.left = self.left.saturating_sub(self.block.len() as u64);
        }
        length
    }
}

impl Read for Generated {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        Ok(self.fill(buffer))
    }
}

impl AsyncRead for Generated {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let length = buffer.remaining();
        let read = self.fill(buffer.initialize_unfilled_to(length));
        buffer.advance(read);
        Poll::Ready(Ok(()))
    }
}

fn bytes() -> u64 {
    let asked = std::env::var("WIRELOCK_STREAM_BYTES");
    asked
        .ok()
        .and_then(|bytes| bytes.parse().ok())
        .unwrap_or(64 << 20)
}

/// Bytes of memory that this process has in use.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) << 10
}

/// The most memory in use, beyond what was after the first items.
#[derive(Default)]
struct Growth {
    items: u64,
    base: u64,
    most: u64,
}

impl Growth {
    fn look(&mut self) {
        self.items += 1;
        // By then each kind of line has come twice.
        if self.items == 9_000 {
            self.base = resident();
        } else if self.items > 9_000 && self.items.is_multiple_of(997) {
            self.most = self.most.max(resident());
        }
    }

    fn conclude(&self, how: &str) {
        let growth = self.most.saturating_sub(self.base);
        println!(
            "{how}: {} items, {} KiB in use, at most {} KiB more",
            self.items,
            self.base >> 10,
            growth >> 10
        );
        assert!(growth < SLACK, "{how}: {growth} bytes");
    }
}

/// One test, because memory is the whole process's.
#[test]
fn memory_is_flat() {
    let mut growth = Growth::default();
    let source = BufReader::with_capacity(64 << 10, Generated::new(bytes()));
    for event in ItemReader::new(source, item(), Policy::default()) {
        match event {
            Ok(Event::Item(_)) => growth.look(),
            // The stream has no terminal item.
            Err(_) => break,
            other => panic!("{other:?}"),
        }
    }
    growth.conclude("blocking");

    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let mut growth = Growth::default();
    runtime.expect("a runtime").block_on(async {
        let mut items = Items::read(Generated::new(bytes()), item(), Policy::default());
        while let Some(Ok(_)) = items.next().await {
            growth.look();
        }
    });
    growth.conclude("tokio");
}
