//! See `wirelock_fuzz::framing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wirelock_fuzz::framing(data));
