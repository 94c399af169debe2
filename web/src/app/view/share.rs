//! What the dialog that shares is given.

use yew::prelude::*;

use crate::app::App;
use crate::app::model::Msg;
use crate::parts::share::ShareDialog;

impl App {
    /// Share the scenario that is shown.
    pub(super) fn share_dialog(&self, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        let base = self.address.studio("").trim_end_matches('#').to_owned();
        html! {
            <ShareDialog document={accepted.document.clone()} looked={self.looked()} {base} name={self.title()} on={on.clone()} />
        }
    }
}
