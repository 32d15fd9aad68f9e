//! What the exit code says.

use std::process::ExitCode;

/// How a command ended when it could run at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// What was asked about is in order.
    Accepted,
    /// It could not be decided.
    Undecided,
    /// It is not in order.
    Refused,
    /// There was no way to tell: usage, files, schemas or git.
    CouldNotRun,
}

impl Exit {
    /// The code a shell sees.
    #[must_use]
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Accepted => 0,
            Self::Refused => 1,
            Self::CouldNotRun => 2,
            Self::Undecided => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_worst_of_several_is_the_greatest() {
        let worst = [Exit::Refused, Exit::Undecided, Exit::Accepted]
            .into_iter()
            .max();
        assert_eq!(worst.map(Exit::code), Some(1));
    }
}
