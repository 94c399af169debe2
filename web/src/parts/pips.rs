//! The breaker's counter: a pip for each failure that trips it, or a bar where these are many.

use yew::prelude::*;

use crate::text;

/// Up to this many failures each one is a pip of its own.
const PIPS_MAX: u32 = 10;
/// From one pip to the next and the length of a bar, in pixels.
const PITCH: u32 = 10;
const BAR: u32 = 64;

/// So many of so many.
pub fn pips(count: u32, threshold: u32) -> Html {
    let full = count.min(threshold);
    let (width, marks) = if threshold <= PIPS_MAX {
        let pip = |index: u32| {
            let class = if index < full { "pip on" } else { "pip" };
            html! { <rect {class} x={(index * PITCH + 1).to_string()} y="1" width="7" height="7" rx="1.5" /> }
        };
        (threshold * PITCH, html! { <>{ for (0..threshold).map(pip) }</> })
    } else {
        let part = u64::from(BAR) * u64::from(full) / u64::from(threshold);
        let bar = html! {
            <>
                <rect class="pip" x="1" y="1" width={BAR.to_string()} height="7" rx="1.5" />
                <rect class="pip on" x="1" y="1" width={part.to_string()} height="7" rx="1.5" />
            </>
        };
        (BAR + 2, bar)
    };
    html! {
        <span class="gauge">
            <svg class="pips" width={width.to_string()} height="9" viewBox={format!("0 0 {width} 9")} aria-hidden="true" focusable="false">{ marks }</svg>
            <span class="only-read">{ text::gauge(count, threshold) }</span>
        </span>
    }
}
