//! Eight cards against eight: what [`super::lanes`] asks of the processor.

/// Eight faces of one player against eight of the other, compared.
pub(super) struct Compared {
    /// How many pairs come before the first pair of equal faces; 8 if none is equal.
    pub(super) first_tie: usize,
    /// A bit for each pair in which the face of player 0 is the higher one.
    pub(super) zero_wins: u32,
    /// The pairs, the lower face of each first.
    pub(super) low_high: [u8; 16],
    /// The pairs, the higher face of each first.
    pub(super) high_low: [u8; 16],
    /// The pairs, the face of player 0 first.
    pub(super) zero_one: [u8; 16],
}

/// A processor that can compare and sort eight pairs at once.
pub(super) trait Eight: Copy {
    /// Compares the faces of player 0 with those of player 1.
    fn compare(self, zero: [u8; 8], one: [u8; 8]) -> Compared;
    /// The pairs for which there is a bit in `which`, moved together to the front; what lies
    /// behind them means nothing.
    fn gather(self, pairs: [u8; 16], which: u32) -> [u8; 16];
}

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Eight for Portable {
    #[inline(always)]
    fn compare(self, zero: [u8; 8], one: [u8; 8]) -> Compared {
        let bits = |is: fn(u8, u8) -> bool| {
            (0..8).fold(0, |bits, i| bits | u32::from(is(zero[i], one[i])) << i)
        };
        let pairs = |first: fn(u8, u8) -> u8, second: fn(u8, u8) -> u8| {
            std::array::from_fn(|i| [first, second][i % 2](zero[i / 2], one[i / 2]))
        };
        Compared {
            first_tie: (bits(|a, b| a == b) | 0x100).trailing_zeros() as usize,
            zero_wins: bits(|a, b| a > b),
            low_high: pairs(u8::min, u8::max),
            high_low: pairs(u8::max, u8::min),
            zero_one: pairs(|a, _| a, |_, b| b),
        }
    }

    #[inline(always)]
    fn gather(self, pairs: [u8; 16], which: u32) -> [u8; 16] {
        let mut front = [0; 16];
        let mut end = 0;
        for pair in (0..8).filter(|pair| which >> pair & 1 == 1) {
            front[end..end + 2].copy_from_slice(&pairs[2 * pair..2 * pair + 2]);
            end += 2;
        }
        front
    }
}

/// The x86 processors since 2013.
#[cfg(target_arch = "x86_64")]
impl Eight for pulp::x86::V3 {
    #[inline(always)]
    fn compare(self, zero: [u8; 8], one: [u8; 8]) -> Compared {
        let sse = self.sse2;
        let [p, q] = [zero, one].map(|eight| sse._mm_set_epi64x(0, i64::from_le_bytes(eight)));
        let bits = |bytes| sse._mm_movemask_epi8(bytes) as u32 & 0xff;
        let pairs = |first, second| pulp::cast(sse._mm_unpacklo_epi8(first, second));
        let (low, high) = (sse._mm_min_epu8(p, q), sse._mm_max_epu8(p, q));
        Compared {
            first_tie: (bits(sse._mm_cmpeq_epi8(p, q)) | 0x100).trailing_zeros() as usize,
            zero_wins: bits(sse._mm_cmpgt_epi8(p, q)),
            low_high: pairs(low, high),
            high_low: pairs(high, low),
            zero_one: pairs(p, q),
        }
    }

    #[inline(always)]
    fn gather(self, pairs: [u8; 16], which: u32) -> [u8; 16] {
        let front = FRONT[(which & 0xff) as usize];
        pulp::cast(
            self.ssse3
                ._mm_shuffle_epi8(pulp::cast(pairs), pulp::cast(front)),
        )
    }
}

/// For each set of pairs, where the bytes come from that move to the front.
#[cfg(target_arch = "x86_64")]
static FRONT: [[u8; 16]; 256] = {
    let mut front = [[0; 16]; 256];
    let mut which = 0;
    while which < 256 {
        let (mut pair, mut end) = (0, 0);
        while pair < 8 {
            if which >> pair & 1 == 1 {
                front[which][end] = 2 * pair;
                front[which][end + 1] = 2 * pair + 1;
                end += 2;
            }
            pair += 1;
        }
        which += 1;
    }
    front
};
