//! Labels of the page: buttons, tabs, fields and fixed sentences, in English.
//!
//! The list of labels stands here once; another language is a function with one `match` over
//! [`Label`], and a label it lacks does not compile.

macro_rules! labels {
    ($($name:ident = $text:literal;)*) => {
        /// A label of the page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Label {
            $(#[doc = concat!("“", $text, "”")] $name,)*
        }

        /// The label in English.
        pub const fn label(label: Label) -> &'static str {
            match label {
                $(Label::$name => $text,)*
            }
        }
    };
}

labels! {
    Skip = "Skip to the player";
    Skips = "Skip to";
    SkipToSettings = "Skip to the settings";
    SkipToDetails = "Skip to the details";
    CloseSheet = "Close the panel";
    Panels = "Panels";
    Tasks = "Tasks";
    Group = "Order of the boxes";
    BySlot = "by slot";
    ByRevision = "by revision";
    ByZone = "by zone";
    Guards = "Guards";
    Settings = "Settings";
    Platform = "Amazon ECS, rolling update";
    Common = "Common settings, minimum and maximum in per cent";
    Desired = "Desired count";
    OneLess = "One task less";
    OneMore = "One task more";
    Minimum = "Minimum healthy";
    Maximum = "Maximum";
    Differs = " (set in this scenario)";
    Provisioning = "Provisioning";
    Pull = "Image pull";
    StartUp = "Start-up";
    OpenRequest = "Longest open request";
    Exit = "Exit after SIGTERM";
    StopTimeout = "Stop timeout";
    Grace = "Grace period";
    Interval = "Interval";
    FirstCheck = "First check after";
    NewTargetPasses = "Passes a new target needs";
    NoCheckHealthy = "Healthy without a check after";
    Timeout = "Timeout";
    Retries = "Retries";
    StartPeriod = "Start period";
    HealthyAfter = "Healthy threshold";
    UnhealthyAfter = "Unhealthy threshold";
    Delay = "Deregistration delay";
    Timing = "Timing";
    Checks = "Health checks";
    CheckKind = "Checked by";
    NoCheck = "Without any check a task counts as healthy a while after it is running (40 s by default).";
    NewRevision = "New revision";
    Fate = "Its tasks";
    FateHealthy = "become healthy";
    FateNeverRunning = "fail to start";
    FateNeverPasses = "never pass a check";
    FateHangs = "hang in start-up";
    FateExits = "exit after";
    FateTurns = "turn unhealthy after";
    FateAbove = "fail while more run than";
    FateOther = "other, see the document";
    FateMore = "This scenario gives single starts a fate of their own; they are kept.";
    Seed = "Seed";
    SeedLabel = "Seed of every draw";
    Readings = "Readings";
    StoppingCounts = "Stopping tasks count against the ceiling";
    StartFirst = "Lockstep: start, wait, stop, wait";
    LegacyReplacement = "A lost old task is replaced by the new revision (before November 2025)";
    UnhealthyBatch = "At the ceiling several unhealthy tasks stop at once";
    UnhealthyOneByOne = "New tasks that never were healthy are replaced one by one";
    Allow100100 = "Accept 100/100, which cannot move";
    GoodToKnow = "Good to know";
    FromBefore = "This is from before: the settings typed now are not accepted.";
    SmallestChanges = "The smallest changes that let it move";
    TryIt = "Try it";
    Undo = "Undo";
    Paste = "Paste";
    PasteLong = "Paste a link, a document or a service";
    SavePicture = "Save picture";
    CopyLink = "Copy link";
    To = "to";
    Transport = "Player";
    ToStart = "To the start";
    StepBack = "Previous step";
    Play = "Play";
    Pause = "Pause";
    StepOn = "Next step";
    ToEnd = "To the end";
    StepBy = "Step by";
    ByDecision = "decision";
    ByEvent = "event";
    BySecond = "second";
    Speed = "Speed";
    Counted = "tasks not yet stopped";
    HealthyTerm = "healthy, all revisions";
    StartATask = "Start a new task?";
    StopATask = "Stop an old task?";
    Room = "room to start";
    Spare = "spare to stop";
    WhatComesNext = "What comes next";
    Acts = "Do something at this moment";
    Set = "Set";
    MinimumMaximum = "Minimum, maximum %";
    DeployRevision = "Deploy revision";
    Deploy = "Deploy";
    SelectATask = "Select a task on the stage to stop or kill it.";
    NoEvents = "No event of this kind in this run.";
    Filter = "Which events";
    All = "All";
    Decisions = "Decisions";
    Failures = "Failures";
    AsTable = "Tasks as a table";
    Slot = "Slot";
    Task = "Task";
    State = "State";
    Since = "Since";
    Until = "Until";
    Old = "Old";
    New = "New";
    Further = "Further";
    LoadBalancer = "Load balancer";
    InService = "In service";
    Chart = "Healthy and other tasks over time";
    Scrubber = "Moment of the run";
    Why = "Why";
    Events = "Events";
    Details = "Details";
    DoneAfter = "Done after";
    Fewest = "Fewest healthy";
    Most = "Most at once";
    Both = "Both versions serve";
    Extra = "Extra capacity";
    TaskMinutes = "task-min";
    Never = "never";
    NotAccepted = "Not accepted";
    Computing = "computing";
    NeverMoves = "Nothing will ever start or stop";
    AsWanted = "The service is as wanted";
    NothingNow = "Nothing starts or stops right now";
    Acting = "The scheduler acts";
    NoSettings = "The settings appear here when a scenario is open.";
    NothingRuns = "Nothing is simulated until the settings are accepted.";
    NoTasks = "Nothing to replace: done at once.";
    LinkCopied = "The link is on the clipboard. It holds the settings and this moment.";
    ReportCopied = "The report is on the clipboard.";
    NoObject = "Nothing happened: there is nothing at this moment that the act could change.";
    Dismiss = "Close";
    CopyTitle = "Copy the link";
    CopyLead = "The browser does not let this page use the clipboard. The link is selected: copy it with the keyboard.";
    LinkField = "Link";
    PasteTitle = "Paste";
    PasteLead = "A Rollscope link, a scenario document, or the output of “aws ecs describe-services”. Nothing leaves this page.";
    PasteField = "Text to read";
    ReadIt = "Read it";
    OpenIt = "Open in the Studio";
    Cancel = "Cancel";
    WhichService = "The text holds several services. Which one?";
    WhatWasRead = "What was read";
    Value = "Value";
    How = "Where from";
    Field = "Field";
    PasteWhole = "Paste the whole link";
    OpenReadable = "Open what can be read";
    GuardTitle = "The simulation broke one of its own rules";
    GuardLead = "This run is not to be trusted from that moment on. It is a fault of Rollscope, not of your settings.";
    SpeedFit = "fit to 20 s";
    SpeedDecisions = "one decision per second";
    CheckNone = "no check";
    CheckContainer = "container";
    CheckTargetGroup = "target group";
    CheckBoth = "container and target group";
    Redo = "Redo";
    Examples = "Examples";
    Help = "Keys and help";
    Menu = "Menu";
    ThemeSystem = "Theme: as the system has it";
    ThemeLight = "Theme: light";
    ThemeDark = "Theme: dark";
    Branches = "Branches of this run";
    AsPlanned = "as planned";
    GoToTime = "Go to a time";
    TimeField = "Time in minutes and seconds";
    StageOnly = "Stage only";
    MoreOfPlayer = "Steps and speed";
    SpeedFitShort = "fit 20 s";
    SpeedDecisionsShort = "1 decision/s";
    HelpLead = "Rollscope computes what Amazon ECS does during a rolling deployment and says for each task why it starts, stops or waits. All of it happens in this page; nothing is sent anywhere.";
    Keys = "Keys";
    KeysLead = "They act while no field has the focus.";
    Key = "Key";
    KeyDoes = "What it does";
    SingleKeys = "Single keys act";
    SingleKeysHint = "Letters, digits and signs. Switch them off when speech input or another program needs them; all other keys stay.";
    PresetsLead = "An example takes the place of the settings that are open. Undo brings those back.";
    DropHere = "Drop a link, a document or a service here";
    ChooseFile = "Choose a file";
    DropHint = "or drop one here";
    ReaderLoading = "The part of the page that reads configurations is being loaded.";
    ReaderFailed = "The part of the page that reads configurations could not be loaded. The text stays in its field.";
    TryAgain = "Try again";
    EditMissing = "Edit the missing values";
    MarkRead = "read";
    MarkFilled = "filled in";
    MarkNotUnderstood = "not understood";
    Mark = "Result";
    FileTooLarge = "This file is too large: up to 4 MB are read.";
    FileUnreadable = "This file could not be read.";
    RestMissing = "the rest is missing";
    CopyReport = "Copy a report";
    RunBefore = "The settings typed now are not accepted. What is shown is the last run that was.";
    NothingToReplace = "Nothing to replace";
    FailedState = "Failed";
}
