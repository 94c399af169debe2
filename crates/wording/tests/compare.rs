//! Several runs beside each other, word for word.

use rollscope_engine::platform::kubernetes::Strategy;
use rollscope_insight::comparison::{
    Borrowed, Clause, Difference, Figure, Fleet, Heading, Kind, Largest, Ratio, RowKind, SharedChange,
};
use rollscope_insight::{OutcomeKind, Part};
use rollscope_scenario::edit::Platform;
use rollscope_scenario::link::LinkError;
use rollscope_wording::compare;

fn pair(clauses: &[Clause]) -> String {
    compare::heading(&Heading::Pair(clauses.to_vec()), Fleet::TASKS)
}

#[test]
fn the_difference_in_one_sentence() {
    let (extra, wait) = (Clause::Extra, Clause::Wait);
    assert_eq!(pair(&[extra(Ratio::Same), wait(Ratio::Times(4))]), "The same extra capacity, four times the wait");
    assert_eq!(
        pair(&[extra(Ratio::ToNothing), wait(Ratio::Times(2)), Clause::Healthy(4, 2)]),
        "No extra capacity, twice the wait, at least 2 healthy instead of 4"
    );
    assert_eq!(pair(&[extra(Ratio::Part(2)), wait(Ratio::More(20))]), "Half the extra capacity, 20 % more wait");
    assert_eq!(
        pair(&[extra(Ratio::FromNothing), wait(Ratio::Less(35))]),
        "Extra capacity instead of none, 35 % less wait"
    );
    assert_eq!(
        pair(&[extra(Ratio::Tenths(23)), wait(Ratio::Part(3))]),
        "2.3 times the extra capacity, a third of the wait"
    );
    assert_eq!(
        pair(&[extra(Ratio::Same), wait(Ratio::Same), Clause::Both(0, 90_000)]),
        "The same extra capacity, the same wait, both versions serve for 1:30 instead of 0:00"
    );
    assert_eq!(compare::heading(&Heading::Same, Fleet::TASKS), "No figure differs");
    let ends = [Figure::Time(375_000), Figure::Ends(OutcomeKind::Stuck), Figure::Ends(OutcomeKind::RolledBack)];
    assert_eq!(
        compare::heading(&Heading::Ends(ends.to_vec()), Fleet::TASKS),
        "A is done after 6:15, B cannot go on, C is rolled back"
    );
    let range = Heading::Range { first: (1, 10_000), last: (0, 20_000), fewest: (0, 5), most: (2, 8) };
    assert_eq!(compare::heading(&range, Fleet::TASKS), "Done from 0:10 (B) to 0:20 (A), with 5 (A) to 8 tasks (C)");
}

#[test]
fn what_is_borrowed() {
    let of = |task_ms, most, for_ms| Borrowed { kind: Kind::Tasks, task_ms, most, for_ms };
    assert_eq!(
        compare::borrowed(&[of(1_500_000, 4, Some(375_000)), of(1_500_000, 1, Some(1_500_000))], Fleet::TASKS),
        "Both borrow 25.0 task-minutes. A borrows 4 tasks for 6:15, B borrows 1 task for 25:00."
    );
    assert_eq!(
        compare::borrowed(&[of(0, 0, None), of(90_000, 2, None)], Fleet::TASKS),
        "A borrows no task, B borrows up to 2 tasks, 1.5 task-minutes in all."
    );
    assert_eq!(compare::borrowed(&[of(0, 0, None), of(0, 0, None)], Fleet::TASKS), "Neither borrows a task.");
}

#[test]
fn rows_figures_and_differences() {
    assert_eq!(compare::row(RowKind::FirstNewServes, Some(8), Fleet::TASKS), "First r8 task serves at");
    assert_eq!(compare::row(RowKind::FirstNewServes, None, Fleet::TASKS), "First new task serves at");
    let difference = |a: Figure, b: Figure| compare::difference(b.difference(a));
    assert_eq!(difference(Figure::Time(375_000), Figure::Time(1_500_000)), "+ 18:45");
    assert_eq!(difference(Figure::Count(8), Figure::Count(5)), "− 3");
    assert_eq!(difference(Figure::TaskTime(1_500_000), Figure::TaskTime(1_500_000)), "0");
    assert_eq!(difference(Figure::Never, Figure::Time(1)), "–");
    assert_eq!(compare::difference(None::<Difference>), "–");
    assert_eq!(compare::minus(1, 0), "B − A");
    assert_eq!(compare::figure(Figure::Count(12_000)), "12,000");
}

#[test]
fn where_the_time_goes() {
    let of =
        |percents: &[Option<u32>]| compare::largest(&Largest { part: Part::Draining, percents: percents.to_vec() });
    assert_eq!(of(&[Some(80), Some(80)]), "Draining is 80 % of both.");
    assert_eq!(of(&[Some(80), Some(62), Some(7)]), "Draining is 80 % of A, 62 % of B and 7 % of C.");
    assert_eq!(of(&[Some(80), None]), "Draining is 80 % of A.");
    assert_eq!(
        compare::shared_change(&SharedChange { deregistration_delay_ms: 30_000, done_ms: vec![105_000, 420_000] }),
        "With a deregistration delay of 0:30 A takes 1:45 and B takes 7:00."
    );
}

#[test]
fn a_broken_part() {
    let read = |text: &str| rollscope_scenario::link::decode(text).expect("opens");
    let cut = |missing| LinkError::Cut { missing, partial: read("v1&desired=4").into() };
    assert_eq!(compare::broken_part(1, &cut(7)), "B is cut: 7 characters are missing.");
    assert_eq!(compare::broken_part(0, &cut(1)), "A is cut: 1 character is missing.");
    assert_eq!(compare::broken_part(2, &LinkError::Empty), "C is missing.");
    assert_eq!(compare::left_out(1), "At most four are compared; 1 more was left out.");
}

#[test]
fn pods_are_called_pods() {
    let mixed = Fleet::of(&[Kind::Tasks, Kind::Pods]);
    let of = |task_ms, most, for_ms| Borrowed { kind: Kind::Pods, task_ms, most, for_ms };
    assert_eq!(
        compare::borrowed(&[of(90_000, 2, None), of(0, 0, None)], Fleet::PODS),
        "A borrows up to 2 Pods, 1.5 Pod-minutes in all, B borrows no Pod."
    );
    assert_eq!(compare::borrowed(&[of(0, 0, None); 4], mixed), "None borrows a task or Pod.");
    assert_eq!(compare::row(RowKind::FirstNewServes, Some(2), Fleet::PODS), "First v2 Pod serves at");
    assert_eq!(compare::row(RowKind::FirstNewServes, Some(2), mixed), "First new one serves at");
    assert_eq!(compare::row(RowKind::MostAtOnce, None, Fleet::PODS), "Most asked for");
    assert_eq!(compare::row(RowKind::ExtraCapacity, None, Fleet::TASKS), "Extra task-minutes");
    let range = Heading::Range { first: (1, 10_000), last: (0, 20_000), fewest: (0, 5), most: (2, 8) };
    assert!(compare::heading(&range, Fleet::PODS).ends_with("with 5 (A) to 8 Pods (C)"));
    assert_eq!(compare::in_common(1, None, Fleet::PODS), "1 Pod");
    assert_eq!(compare::deployment(&Strategy::default()), "25%/25%");
    assert_eq!(compare::deployment(&Strategy::Recreate), "Recreate");
    assert_eq!(compare::on_platform(Platform::Kubernetes, "1/0"), "Kubernetes 1/0");
}

#[test]
fn instances_are_called_instances() {
    let fleet = Fleet::INSTANCES;
    let rows = [
        (RowKind::MostAtOnce, "Most instances at once"),
        (RowKind::FewestHealthy, "Fewest ready"),
        (RowKind::ExtraCapacity, "Extra instance-minutes"),
        (RowKind::FirstNewServes, "First v2 instance ready at"),
    ];
    for (kind, expected) in rows {
        assert_eq!(compare::row(kind, Some(2), fleet), expected);
    }
    let all = Fleet::of(&[Kind::Instances, Kind::Pods, Kind::Tasks]);
    assert_eq!(compare::row(RowKind::FewestHealthy, None, all), "Fewest healthy, available or ready");
    assert_eq!(compare::row(RowKind::ExtraCapacity, None, all), "Extra minutes of tasks, Pods and instances");
    assert_eq!(compare::row(RowKind::FirstNewServes, None, all), "First new one healthy, or warm, at");
    let borrowed = [Kind::Tasks, Kind::Pods, Kind::Instances].map(|kind| Borrowed {
        kind,
        task_ms: 90_000,
        most: 1,
        for_ms: Some(90_000),
    });
    assert_eq!(
        compare::borrowed(&borrowed, all),
        "All borrow 1.5 minutes of tasks, Pods and instances. \
         A borrows 1 task for 1:30, B borrows 1 Pod for 1:30, C borrows 1 instance for 1:30."
    );
    assert_eq!(compare::on_platform(Platform::Vmss, "Azure 20 %"), "Azure 20 %");
    let two = Fleet::of(&[Kind::Instances, Kind::Tasks]);
    assert_eq!(compare::in_common(4, None, two), "4 tasks or instances");
    assert_eq!(compare::on_platform(Platform::InstanceRefresh, "90 %"), "EC2 Auto Scaling 90 %");
    assert_eq!(compare::refresh(90, None), "90 %, no maximum");
    assert_eq!(compare::refresh(90, Some(100)), "90 % / 100 %");
    let ends = [Figure::Ends(OutcomeKind::Cancelled), Figure::Ends(OutcomeKind::Failed)];
    let heading = compare::heading(&Heading::Ends(ends.to_vec()), fleet);
    assert_eq!(heading, "A is cancelled, B fails and stays failed");
}
