//! Labels of sharing, and of the player inside another page.

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
            Present = "Present";
            PresentLong = "Present: the pictures alone, large";
            LeavePresenter = "Leave the presenter";
            BlankScreen = "The screen is blank. B shows it again.";
            Share = "Share";
            ShareTitle = "Share this scenario";
            ShareLead = "Nothing is stored anywhere. The link is the scenario, readable by anyone who has it.";
            ShareWays = "Ways to share";
            ShareLink = "Link";
            ShareEmbed = "In another page";
            ShareLinkField = "The link";
            LinkTooLong = "longer than Rollscope reads";
            Checksummed = "readable, with a checksum";
            OtherwiseStart = "otherwise at the start";
            WithLook = "With this panel and selection";
            WithLookHint = "otherwise Why, and no task selected";
            WithNotes = "With title and notes";
            WithNotesHint = "they stand in the link";
            TitleField = "Title";
            NotesField = "Notes";
            LinkOnClipboard = "The link is on the clipboard.";
            QrCode = "QR code";
            QrAlt = "QR code of the link";
            QrLoading = "The code is being drawn.";
            QrTooLong = "This link is too long for a QR code. Leave out the notes, or project the page itself.";
            CopyCode = "Copy code";
            CodeOnClipboard = "The code is on the clipboard.";
            CodeField = "The code";
            EmbedTheme = "Theme";
            EmbedThemeAuto = "as the browser prefers";
            EmbedThemeLight = "light";
            EmbedThemeDark = "dark";
            EmbedControls = "Around the pictures";
            EmbedControlsFull = "title, player, Change and Open";
            EmbedControlsBar = "title and player";
            EmbedControlsNone = "nothing but the sentence";
            EmbedViewOnly = "View only";
            EmbedViewOnlyHint = "without Change";
            EmbedPoster = "Wait for Play";
            EmbedPosterHint = "title and settings first, the program when it is pressed";
            EmbedPreview = "Preview";
            LinkComparesLead = "A player shows one scenario. The comparison opens in Rollscope.";
        } }
    };
}
