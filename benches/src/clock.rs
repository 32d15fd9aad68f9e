//! CPU time of this process, and what many times come to.

use anyhow::Result;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The CPU time of this process until now, on all threads.
pub(crate) fn cpu_time_so_far() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

/// The CPU time that a run takes, on all threads.
pub(crate) fn cpu_time<T>(run: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let start = cpu_time_so_far();
    std::hint::black_box(run()?);
    Ok(cpu_time_so_far() - start)
}

/// The time that half of them do not exceed.
pub(crate) fn median(times: &[Duration]) -> Duration {
    quantile(times, 50)
}

/// The time that so many in a hundred do not exceed; nothing of nothing.
pub(crate) fn quantile(times: &[Duration], hundredths: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    let at = (times.len() * hundredths / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}
