// <rollscope-player scenario="v1&desired=4&min=100&max=150"></rollscope-player>
//
// A player in a page of yours: this one script, beside the other files of Rollscope. Each player is a frame of
// Rollscope's own page, so that its program, styles and policy stay apart from yours; the frames share one
// compiled program. docs/embedding.md lists attributes, methods and events.
(function () {
  "use strict";

  if (!window.customElements || customElements.get("rollscope-player")) return;

  /** The folder of this script, which is Rollscope's. */
  var home = new URL(".", (document.currentScript && document.currentScript.src) || document.baseURI);
  /** Attributes that go into the address of the frame, by the name they have there. */
  var ASKED = { theme: "theme", controls: "controls", lang: "lang", start: "t", view: "view", poster: "poster" };
  /** Height of a frame before it has told its own, by the least width of the element. */
  var HEIGHTS = [[600, 420], [480, 480], [0, 520]];
  /** Moments that are remembered of what a group asked for: a few seconds of playing. */
  var REMEMBERED = 50;
  /** Players of one clock, by the name of their group. */
  var groups = new Map();

  function fragment(text) {
    var at = text.indexOf("#");
    return at < 0 ? text : text.slice(at + 1);
  }

  class RollscopePlayer extends HTMLElement {
    static get observedAttributes() {
      return ["scenario", "group"].concat(Object.keys(ASKED));
    }

    constructor() {
      super();
      /** The frame, while the element stands in a page. */
      this.frame = null;
      /** A scenario that was given as an object. */
      this.given = null;
      /** What was asked before the frame answered. */
      this.waiting = [];
      /** The frame listens; and its player stands. */
      this.isKnown = false;
      this.isReady = false;
      /** What the player has said of its clock. */
      this.clock = { moment_ms: 0, end_ms: 0, playing: false };
      /** Moments the group asked for lately: what the player says of them is an answer. */
      this.followed = [];
      this.hear = this.hear.bind(this);
    }

    connectedCallback() {
      if (!this.shadowRoot) this.attachShadow({ mode: "open" });
      if (!this.style.display) this.style.display = "block";
      window.addEventListener("message", this.hear);
      this.join();
      this.show();
    }

    disconnectedCallback() {
      window.removeEventListener("message", this.hear);
      this.leave();
      if (this.frame) this.frame.remove();
      this.frame = null;
      this.isReady = false;
    }

    attributeChangedCallback(name, before, now) {
      if (!this.frame || before === now) return;
      if (name === "group") {
        this.leave();
        this.join();
      } else if (name === "scenario" && this.isReady) {
        this.given = null;
        this.ask({ type: "open", scenario: fragment(now || "") });
      } else {
        this.show();
      }
    }

    /** The scenario: the text of a link, or a scenario document as an object. */
    get scenario() {
      return this.given || this.getAttribute("scenario");
    }

    set scenario(given) {
      if (typeof given === "string") {
        this.setAttribute("scenario", given);
      } else {
        this.given = given;
        this.ask({ type: "open", scenario: given });
      }
    }

    play() { this.ask({ type: "play" }); }
    pause() { this.ask({ type: "pause" }); }
    /** To a moment, in milliseconds of the simulation. */
    seek(ms) { this.ask({ type: "seek", ms: Number(ms) }); }
    /** One decision on, or back with a negative number. */
    step(by) { this.ask({ type: "step", by: by < 0 ? -1 : 1 }); }

    /** Puts a frame with the present attributes in the place of the one before. */
    show() {
      var address = new URL(home);
      address.searchParams.set("embed", "1");
      for (var name of Object.keys(ASKED)) {
        if (this.hasAttribute(name)) address.searchParams.set(ASKED[name], this.getAttribute(name) || "1");
      }
      address.hash = fragment(this.getAttribute("scenario") || "");
      var frame = document.createElement("iframe");
      frame.title = this.getAttribute("title") || "Rollscope";
      frame.loading = "lazy";
      frame.allow = "clipboard-write";
      frame.style.cssText = "display: block; width: 100%; border: 0;";
      var wide = this.clientWidth;
      frame.style.height = HEIGHTS.find(function (of) { return wide >= of[0]; })[1] + "px";
      frame.addEventListener("load", function () { this.post({ type: "hello" }); }.bind(this));
      frame.src = address.href;
      this.isReady = false;
      this.isKnown = false;
      this.shadowRoot.replaceChildren(frame);
      this.frame = frame;
      if (this.given) this.waiting = [{ type: "open", scenario: this.given }];
    }

    ask(message) {
      if (this.frame && this.isReady) this.post(message);
      // What was asked of a player that is not there yet makes it load.
      else this.waiting.push(message);
      if (!this.isReady && this.isKnown) this.flush();
    }

    post(message) {
      // A page of a file has no origin to name.
      this.frame.contentWindow.postMessage(Object.assign({ rollscope: 1 }, message), home.origin === "null" ? "*" : home.origin);
    }

    flush() {
      var waiting = this.waiting;
      this.waiting = [];
      waiting.forEach(this.post, this);
    }

    /** A message of the frame; all others are those of somebody else. */
    hear(event) {
      var said = event.data;
      if (!this.frame || event.source !== this.frame.contentWindow || event.origin !== home.origin) return;
      if (!said || typeof said !== "object" || said.rollscope !== 1) return;
      if (said.type === "hello") {
        this.isKnown = true;
        this.flush();
      } else if (said.type === "ready") {
        this.isReady = true;
        this.tell("ready", said);
      } else if (said.type === "height" && said.height >= 100 && said.height <= 4000) {
        if (!this.style.height) this.frame.style.height = said.height + "px";
      } else if (said.type === "timechange") {
        // More of its run may be known, with the cursor where it was.
        var moved = said.moment_ms !== this.clock.moment_ms || said.playing !== this.clock.playing;
        this.clock = said;
        this.tell("timechange", said);
        if (moved) this.lead();
      } else if (said.type === "decision" || said.type === "outcome") {
        this.tell(said.type, said);
      }
    }

    tell(type, said) {
      var detail = Object.assign({}, said);
      delete detail.rollscope;
      delete detail.type;
      this.dispatchEvent(new CustomEvent(type, { detail: detail }));
    }

    // ---- one clock ----

    join() {
      var name = this.getAttribute("group");
      if (!name) return;
      if (!groups.has(name)) groups.set(name, new Set());
      groups.get(name).add(this);
      this.grouped = name;
    }

    leave() {
      if (this.grouped) groups.get(this.grouped).delete(this);
      this.grouped = null;
    }

    /** What somebody does with one player holds for the others: they go to its moment. */
    lead() {
      if (!this.grouped) return;
      var moment = this.clock.moment_ms;
      // It only does what another one led it to.
      var answers = this.followed.length > 0 && (this.followed.includes(moment) || moment === this.clock.end_ms);
      if (!this.clock.playing && answers) return;
      this.followed = [];
      groups.get(this.grouped).forEach(function (other) {
        if (other === this || !other.isReady || other.clock.moment_ms === moment) return;
        other.followed = other.followed.slice(1 - REMEMBERED).concat(moment);
        if (other.clock.playing) other.post({ type: "pause" });
        other.post({ type: "seek", ms: moment });
      }, this);
    }
  }

  customElements.define("rollscope-player", RollscopePlayer);
})();
