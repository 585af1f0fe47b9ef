//! The secret of those who may see.

use crate::ServeError;
use constant_time_eq::constant_time_eq;
use std::fmt;

/// 128 random bits as 32 hexadecimal digits. Whoever knows them may see and steer what is served.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new token.
    /// # Errors
    /// [`ServeError::Random`].
    pub fn random() -> Result<Self, ServeError> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|error| ServeError::Random(error.to_string()))?;
        Ok(Self(bits.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The digits, for the address that is shown to the user.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Whether the given text is the token. The time does not depend on where they differ.
    pub fn agrees(&self, given: &str) -> bool {
        constant_time_eq(self.0.as_bytes(), given.as_bytes())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}
