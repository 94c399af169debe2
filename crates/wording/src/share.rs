//! What is said of a link that is handed on, in the language of the product. Functions of their own: what the
//! first screen does not say is not part of its program.

use rollscope_engine::SimTime;

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::share::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// The length of a link: "83 characters".
    fn characters(n: usize) -> String;
    /// Which programs cut an address of this length: "fits everywhere", "Outlook may cut it".
    fn cut_by(programs: &[&str]) -> String;
    /// The link opens at this moment: "Open at 1:50".
    fn opens_at(at: SimTime) -> String;
    /// Behind the program's name on the scale of lengths: " 1,024".
    fn from(length: usize) -> String;
    /// The name of a frame in another page: "Rollscope: web".
    fn frame_title(title: &str) -> String;
}
