//! Work that travels: what to play, who plays and what came out, as data with a version.

use serde::{Deserialize, Serialize};

/// The version in which work is shipped, and the only one that is taken.
pub const SHIPPING: u32 = 1;

/// Something that goes to another machine or comes from it: a
/// [`BlockPlan`](crate::BlockPlan), a [`BlockResult`](crate::BlockResult), or who takes part
/// ([`Enrolled`](crate::Enrolled)).
///
/// ```
/// use croupier_arena::{BlockPlan, Shipped, rotations};
/// use croupier_core::Seed;
///
/// let plan = BlockPlan {
///     table: vec![0, 1],
///     deal: Seed(7),
///     orders: rotations(2),
///     scores: vec![0; 2],
///     suspended: vec![false; 2],
/// };
/// let line = Shipped::new(plan.clone()).to_json();
/// assert_eq!(Shipped::<BlockPlan>::from_json(&line)?, plan);
/// assert!(Shipped::<BlockPlan>::from_json(&line.replace("\"shipping\":1", "\"shipping\":2")).is_err());
/// # Ok::<(), croupier_arena::NotShipped>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shipped<T> {
    shipping: u32,
    #[serde(flatten)]
    contents: T,
}

/// Why something that came from another machine is not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotShipped {
    /// It cannot be read.
    #[error("what another machine has sent cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It is of another version.
    #[error("another machine has sent version {0}, only version {SHIPPING} is taken")]
    OtherVersion(u32),
}

/// The version alone, which is read first: the rest may look different in another one.
#[derive(Deserialize)]
struct Version {
    shipping: u32,
}

impl<T: Serialize + for<'de> Deserialize<'de>> Shipped<T> {
    /// Gets something ready to travel.
    pub fn new(contents: T) -> Shipped<T> {
        Shipped {
            shipping: SHIPPING,
            contents,
        }
    }

    /// One line of JSON, without its end.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("work has string keys and plain values")
    }

    /// Takes what another machine has sent.
    pub fn from_json(text: &str) -> Result<T, NotShipped> {
        let Version { shipping } = serde_json::from_str(text)?;
        if shipping != SHIPPING {
            return Err(NotShipped::OtherVersion(shipping));
        }
        let shipped: Shipped<T> = serde_json::from_str(text)?;
        Ok(shipped.contents)
    }
}

/// Bytes in hexadecimal digits.
pub(crate) mod hexadecimal {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        let digits = |byte: &u8| [byte >> 4, byte & 15];
        let digits = bytes.iter().flat_map(digits);
        let digits = digits.map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]));
        serializer.serialize_str(&digits.collect::<String>())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |sign: u8| char::from(sign).to_digit(16).map(|digit| digit as u8);
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let bytes = pairs
            .iter()
            .map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?));
        let bytes: Option<Vec<u8>> = bytes.collect();
        let whole = bytes.filter(|_| rest.is_empty());
        whole.ok_or_else(|| D::Error::custom("bytes are written as pairs of hexadecimal digits"))
    }
}
