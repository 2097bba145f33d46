//! How collected cards count, for the rules and for the state file alike.

/// What a green card costs beyond the point that every card costs.
pub(super) const GREEN_EXTRA: u32 = 1;

/// Who alone has most, and how many; nobody if several tie.
#[inline]
pub(super) fn most(counts: impl Iterator<Item = u32>) -> Option<(usize, u32)> {
    let mut best = (None, 0);
    for (player, count) in counts.enumerate() {
        if count > best.1 {
            best = (Some(player), count);
        } else if count == best.1 {
            best.0 = None;
        }
    }
    best.0.map(|player| (player, best.1))
}
