//! One sort for everything.
//!
//! The standard library compiles each of its sorts anew for every type and every order, two to
//! five kilobytes each; together they were a fourteenth of the page's code. Here only the
//! comparison is compiled anew.

use alloc::vec::Vec;

/// Sorts by a key, ascending; equal keys keep their order.
///
/// ```
/// let mut words = ["three", "one", "two"];
/// rollscope_engine::order::by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["one", "two", "three"]);
/// ```
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let Some(mut from) = sorted(items.len(), &|a, b| key(&items[a]) < key(&items[b])) else { return };
    // Place by place along each cycle of moves.
    for first in 0..items.len() {
        let mut at = first;
        loop {
            let next = from[at];
            from[at] = at;
            if next == first {
                break;
            }
            items.swap(at, next);
            at = next;
        }
    }
}

/// Where each place takes its item from; nothing when all are in order already.
fn sorted(len: usize, less: &dyn Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    if (1..len).all(|at| !less(at, at - 1)) {
        return None;
    }
    let mut order: Vec<usize> = (0..len).collect();
    let mut merged = order.clone();
    let mut width = 1;
    while width < len {
        for start in (0..len).step_by(2 * width) {
            let (middle, end) = ((start + width).min(len), (start + 2 * width).min(len));
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let from_right = right < end && (left == middle || less(order[right], order[left]));
                let from = if from_right { &mut right } else { &mut left };
                *place = order[*from];
                *from += 1;
            }
        }
        core::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut seed = 1_u32;
        for len in 0..70 {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 28
            };
            let items: Vec<(u32, usize)> = (0..len).map(|index| (next(), index)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            let mut ours = items;
            by_key(&mut ours, |item| item.0);
            assert_eq!(ours, expected, "stable, {len} items");
        }
    }

    #[test]
    fn the_ends_of_orders_are_fine() {
        for items in [vec![], vec![1], vec![1, 2, 3], vec![3, 2, 1], vec![2, 2, 2]] {
            let (mut ours, mut expected) = (items.clone(), items);
            by_key(&mut ours, |item| *item);
            expected.sort_unstable();
            assert_eq!(ours, expected);
        }
    }
}
