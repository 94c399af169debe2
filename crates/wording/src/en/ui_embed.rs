//! Labels of the player inside another page.

/// Hands a list on together with the labels of the player inside another page.
macro_rules! labels_embed {
    ($next:ident { $labels:ident { $($of_all:tt)* } }) => {
        $next! { $labels {
            $($of_all)*
            Player = "Player";
            OpenStudio = "Open";
            OpenStudioLong = "Open in Rollscope, in a new tab, at this moment";
            ChangeLimits = "Change";
            ChangeLimitsLong = "Change the limits";
            BackToChart = "Back to the chart";
            LinkCompares = "This link compares scenarios";
            LinkComparesLead = "A player shows one scenario. The comparison opens in Rollscope.";
        } }
    };
}
