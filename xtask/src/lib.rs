//! Placeholder replaced by the next steps.
