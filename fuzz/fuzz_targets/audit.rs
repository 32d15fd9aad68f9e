//! See `wirelock_fuzz::audit`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wirelock_fuzz::audit(data));
