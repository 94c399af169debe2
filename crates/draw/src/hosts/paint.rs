//! Paints the frames that changed.

use plotters_backend::DrawingBackend;
use rollscope_engine::Frame;
use rollscope_engine::frame::{HostView, Usage};
use rollscope_engine::mechanism::host::Resource;
use rollscope_engine::time::SimTime;

use super::frame as near;
use super::layout::{Layout, TRAY_LINE, Zone};
use super::look::{self, Changed, View};
use super::parts::Tally;
use super::plan::Detail;
use super::small;
use crate::geometry::Rect;
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::stage;
use crate::stage::badge::badges;
use crate::stage::batch::Batch;
use crate::stage::body::body;
use crate::stage::layout::Spot;
use crate::stage::marks::square_ring;
use crate::stage::small::{Place, slot as small_slot};

/// What is written into the frames; the language is the caller's.
pub trait Words: stage::Words {
    /// An instance by its number: `i-1`.
    fn host(&self, number: u32) -> String;
    /// A zone: `zone a`.
    fn zone(&self, zone: u8) -> String;
    /// The caption over a zone's instances.
    fn zone_caption(&self, zone: &Zone) -> String;
    /// What an instance is other than ACTIVE, in a word or two; nothing for an ACTIVE one.
    fn host_state(&self, host: &HostView, at: SimTime) -> String;
    /// Name of a bar.
    fn resource(&self, resource: Resource) -> String;
    /// What of it is free.
    fn free(&self, usage: &Usage) -> String;
    /// Host port and network interfaces, where they limit.
    fn counts(&self, host: &HostView) -> String;
    /// Beside the tasks that the tray has no room for: `+ 96`.
    fn more(&self, tasks: u32) -> String;
}

/// Clears the picture and writes the names of zones: once a layout.
pub fn still<DB: DrawingBackend>(to: &mut DB, layout: &Layout, palette: &Palette, words: &impl Words) -> Drawn<DB> {
    pen::fill(to, Rect::new(0, 0, layout.width, layout.height), palette.surface)?;
    let face = Face { size: layout.scale.0 * 12.0, bold: true, colour: palette.ink_2, anchor: Anchor::Left };
    layout.zones().iter().try_for_each(|zone| {
        pen::text(to, &words.zone_caption(zone), zone.at, face)?;
        plus(to, zone.add, layout, palette)
    })
}

/// What adds an instance at the end of a zone.
fn plus<DB: DrawingBackend>(to: &mut DB, rect: Rect, layout: &Layout, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| layout.scale.px(css);
    pen::rounded_frame(to, rect, px(4.0), Ink(palette.control, layout.scale.line(1.0)))?;
    let (x, y, arm) = (rect.x + rect.w / 2, rect.y + rect.h / 2, px(4.0));
    let ink = Ink(palette.ink_2, layout.scale.line(1.5));
    pen::line(to, (x - arm, y), (x + arm, y), ink)?;
    pen::line(to, (x, y - arm), (x, y + arm), ink)
}

/// A moment with its colours.
pub(super) struct Scene<'a> {
    pub view: View<'a>,
    pub layout: &'a Layout,
    pub frame: &'a Frame,
    pub palette: &'a Palette,
}

impl Scene<'_> {
    pub fn px(&self, css: f64) -> i32 {
        self.layout.scale.px(css)
    }

    /// How far marks reach beyond a frame.
    pub fn reach(&self) -> i32 {
        if self.layout.detail == Detail::Heat { self.px(2.0).max(1) } else { self.px(3.0) }
    }

    /// How far marks reach beyond a task.
    fn task_reach(&self) -> i32 {
        if self.layout.detail == Detail::Cells { self.px(1.0) } else { self.px(2.0) }
    }
}

/// Paints what changed, and the marks. The rest of the picture stays.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    view: &View<'_>,
    changed: &Changed,
    palette: &Palette,
    words: &impl Words,
) -> Drawn<DB> {
    let View { layout, frame, seats, .. } = *view;
    let scene = Scene { view: *view, layout, frame, palette };
    let tallies = if changed.hosts.is_empty() { Vec::new() } else { Tally::all(frame) };
    let mut batch = Batch::default();
    for &host in &changed.hosts {
        batch.fill(0, palette.surface, layout.frame(host).inset(-scene.reach()));
    }
    if layout.detail == Detail::Heat {
        for &host in &changed.hosts {
            small::square(&mut batch, &scene, host, &tallies[host as usize]);
        }
        batch.flush(to)?;
    } else {
        batch.flush(to)?;
        for &host in &changed.hosts {
            near::shell(to, &scene, host, words)?;
            near::bars(&mut batch, &scene, host, &tallies[host as usize]);
            near::free(&mut batch, &scene, host);
        }
        batch.flush(to)?;
        let on =
            changed.hosts.iter().flat_map(|host| (0..layout.berths).zip(seats.on(*host)).map(move |at| (*host, at)));
        let spots =
            on.filter_map(|(host, (berth, slot))| Some((look::spot(layout, layout.berth(host, berth)), (*slot)?)));
        tasks(to, &scene, spots.filter(|_| layout.detail.has_tasks()), words)?;
    }
    for &host in &changed.hosts {
        let marked = view.marked(host);
        task_rings(to, &scene, marked.tasks)?;
        if marked.frame > 0 {
            let width = layout.scale.line(f64::from(marked.frame));
            ring(to, &scene, layout.frame(host), width)?;
        }
    }
    if changed.tray {
        paint_tray(to, &scene, words)?;
    }
    Ok(())
}

/// The ring around a frame.
fn ring<DB: DrawingBackend>(to: &mut DB, scene: &Scene<'_>, rect: Rect, width: u32) -> Drawn<DB> {
    let (layout, palette, reach) = (scene.layout, scene.palette, scene.reach());
    if layout.detail == Detail::Heat {
        return square_ring(to, rect, reach, width, layout.scale, palette);
    }
    pen::rounded_frame(to, rect.inset(-reach), scene.px(10.0), Ink(palette.ink, width))
}

fn task_rings<DB: DrawingBackend>(to: &mut DB, scene: &Scene<'_>, tasks: [Option<u32>; 2]) -> Drawn<DB> {
    let layout = scene.layout;
    for (slot, width) in tasks.into_iter().zip([2.0, 1.0]) {
        let Some(rect) = slot.and_then(|slot| layout.rect(scene.view.seats, slot)) else { continue };
        let width = layout.scale.line(width);
        if layout.detail == Detail::Named {
            let ring = rect.inset(-scene.task_reach());
            pen::rounded_frame(to, ring, scene.px(9.0), Ink(scene.palette.ink, width))?;
        } else {
            square_ring(to, rect, scene.task_reach(), width, layout.scale, scene.palette)?;
        }
    }
    Ok(())
}

/// Tasks in their boxes: as the stage by slot draws them at the same size.
fn tasks<DB: DrawingBackend>(
    to: &mut DB,
    scene: &Scene<'_>,
    spots: impl Iterator<Item = (Spot, u32)>,
    words: &impl Words,
) -> Drawn<DB> {
    let (frame, palette) = (scene.frame, scene.palette);
    let spots: Vec<(Spot, u32)> = spots.collect();
    let task = |slot: u32| frame.slots[slot as usize].as_ref();
    let mut batch = Batch::default();
    for &(spot, slot) in spots.iter().filter(|(spot, _)| !spot.level.has_words()) {
        let tile = spot.level == stage::Level::Tiles;
        small_slot(&mut batch, Place { rect: spot.rect, scale: spot.scale, tile, beyond: false }, task(slot), palette);
    }
    batch.flush(to)?;
    for &(spot, slot) in &spots {
        let Some(task) = task(slot) else { continue };
        if spot.level.has_words() {
            body(to, spot, task, frame.at, palette, words)?;
        }
        badges(to, spot, task, &scene.view.marks.tasks, palette)?;
    }
    Ok(())
}

/// Tasks that have no instance, with what they wait for.
fn paint_tray<DB: DrawingBackend>(to: &mut DB, scene: &Scene<'_>, words: &impl Words) -> Drawn<DB> {
    let (layout, palette) = (scene.layout, scene.palette);
    pen::fill(to, layout.tray.inset(-scene.px(2.0)), palette.surface)?;
    pen::polygon(to, pen::rounded(layout.tray, scene.px(7.0)), palette.inset)?;
    let face = Face { size: layout.scale.0 * 12.0, bold: true, colour: palette.ink_2, anchor: Anchor::Left };
    let at = (layout.tray.x + scene.px(10.0), layout.tray.y + scene.px(TRAY_LINE / 2.0));
    let most = layout.tray.w - scene.px(20.0);
    let fits = |words: &&String| to.estimate_text_size(words, &face).is_ok_and(|(wide, _)| wide as i32 <= most);
    if let Some(words) = scene.view.tray.iter().find(fits).or(scene.view.tray.last()) {
        pen::text(to, words, at, face)?;
    }
    let waiting = scene.view.seats.tray();
    let most = layout.tray_most();
    if !layout.tray_has_tasks() {
        return Ok(());
    }
    let spots = (0..most).zip(waiting).map(|(k, slot)| (look::tray_spot(layout, layout.tray_place(k)), *slot));
    tasks(to, scene, spots, words)?;
    if let Some(more) = (waiting.len() as u32).checked_sub(most).filter(|more| *more > 0) {
        let place = layout.tray_place(most);
        pen::text(to, &words.more(more), (place.x, place.y + place.h / 2), face)?;
    }
    task_rings(to, scene, scene.view.marked_in(waiting.iter().copied().take(most as usize)))
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{berths, frame, host};
    use super::super::{Fleet, HostMarks, Seats, Site};
    use super::*;
    use crate::geometry::Scale;
    use plotters::backend::SVGBackend;
    use rollscope_engine::frame::TaskState::{self, Draining, Healthy, Starting, Waiting};
    use rollscope_engine::frame::TaskView;
    use rollscope_engine::mechanism::host::HostState;
    use rollscope_engine::settings::TaskName;

    struct Plain;
    impl stage::Words for Plain {
        fn name(&self, name: TaskName) -> String {
            format!("{}·{}", name.revision, name.start)
        }
        fn state(&self, state: TaskState) -> String {
            format!("{state:?}").to_lowercase()
        }
        fn note(&self, _: &TaskView, _: SimTime) -> String {
            String::new()
        }
        fn ceiling(&self, _: u32) -> String {
            String::new()
        }
    }
    impl Words for Plain {
        fn host(&self, number: u32) -> String {
            format!("i-{number}")
        }
        fn zone(&self, zone: u8) -> String {
            format!("zone {zone}")
        }
        fn zone_caption(&self, zone: &Zone) -> String {
            format!("zone {} with {}", zone.zone, zone.hosts)
        }
        fn host_state(&self, host: &HostView, _: SimTime) -> String {
            if host.state == HostState::Active { String::new() } else { format!("{:?}", host.state) }
        }
        fn resource(&self, resource: Resource) -> String {
            format!("{resource:?}")
        }
        fn free(&self, usage: &Usage) -> String {
            format!("{} free", usage.free())
        }
        fn counts(&self, _: &HostView) -> String {
            "counts".to_owned()
        }
        fn more(&self, tasks: u32) -> String {
            format!("+ {tasks}")
        }
    }

    fn picture(frame: &Frame, width: f64, by_zone: bool, marks: HostMarks) -> (String, Detail) {
        let berths = berths(frame);
        let site = Site { css_width: width, css_height: Some(320.0), scale: Scale(1.0), by_zone };
        let layout = Layout::on(frame, &berths, &site, None);
        let seats = Seats::of(frame, &berths);
        let view = View { layout: &layout, frame, seats: &seats, marks, tray: &["two wait".to_owned()] };
        let changed = Fleet::default().update(&view);
        let mut text = String::new();
        {
            let mut backend = SVGBackend::with_string(&mut text, (layout.width as u32, layout.height as u32));
            let palette = Palette::light();
            still(&mut backend, &layout, &palette, &Plain).expect("still");
            paint(&mut backend, &view, &changed, &palette, &Plain).expect("paint");
            backend.present().expect("present");
        }
        (text, layout.detail)
    }

    fn two() -> Frame {
        let mut hosts = vec![host(1, 0, 1, 1), host(2, 1, 1, 0)];
        hosts[1].state = HostState::Draining;
        frame(hosts, &[(Some(0), 7, Draining), (Some(0), 8, Starting), (Some(1), 7, Healthy)])
    }

    #[test]
    fn a_frame_names_its_instance_its_tasks_and_what_is_free() {
        let (picture, detail) = picture(&two(), 756.0, false, HostMarks::default());
        assert_eq!(detail, Detail::Named);
        for words in ["i-1", "zone 0", "i-2", "Draining", "Cpu", "1024 free", "7·1", "draining", "8·2", "starting"] {
            assert!(picture.contains(words), "{words} in {picture}");
        }
    }

    #[test]
    fn zones_have_captions() {
        let (picture, _) = picture(&two(), 756.0, true, HostMarks::default());
        assert!(picture.contains("zone 0 with 1") && picture.contains("zone 1 with 1"));
    }

    #[test]
    fn a_selected_instance_has_a_ring() {
        let count = |marks| picture(&two(), 756.0, false, marks).0.matches("#12151B").count();
        assert!(count(HostMarks { selected: Some(0), ..HostMarks::default() }) > count(HostMarks::default()));
    }

    /// Shapes of one picture: rectangles, lines, polygons, texts.
    fn shapes(picture: &str) -> usize {
        ["<rect", "<line", "<poly", "<text"].iter().map(|shape| picture.matches(shape).count()).sum()
    }

    #[test]
    fn a_thousand_instances_with_five_thousand_tasks_are_few_shapes() {
        let hosts: Vec<HostView> = (0..1_000).map(|k| host(k + 1, (k % 3) as u8, 3, 1)).collect();
        let tasks: Vec<_> = (0..5_000u32)
            .map(|k| {
                (
                    Some(k % 1_000),
                    7 + k % 2,
                    if k < 1_000 {
                        Draining
                    } else if k < 4_990 {
                        Healthy
                    } else {
                        Waiting
                    },
                )
            })
            .collect();
        let all = frame(hosts, &tasks);
        let (picture, detail) = picture(&all, 756.0, false, HostMarks::default());
        assert_eq!(detail, Detail::Heat);
        assert!(shapes(&picture) < 12_000, "{}", shapes(&picture));
    }
}
