// The player inside another page (`?embed=1`), before any WebAssembly runs: its theme, the scenario in
// words, and when to begin. It stands in a file of its own beside the loader, which asks it.
//
// Nothing here computes: title and settings stand in the fragment of the address, as docs/link.md has it.
(function () {
  "use strict";

  var asked = new URLSearchParams(location.search);
  if (asked.get("embed") !== "1") return;

  var root = document.documentElement;
  var theme = asked.get("theme");
  root.setAttribute("data-embed", asked.get("controls") || "full");
  if (theme === "light" || theme === "dark") root.setAttribute("data-theme", theme);

  // ---- the scenario in words ----

  var NAMES = { desired: "desiredCount", min: "minimumHealthyPercent", max: "maximumPercent", grace: "healthCheckGracePeriodSeconds" };
  /** What a link says beside the scenario. */
  var VIEW = ["at", "step", "sel", "panel", "chart", "group", "title", "notes"];
  /** Settings that are listed; a link may hold hundreds. */
  var SETTINGS_MAX = 8;

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (_) {
      return text;
    }
  }

  /** The pairs of the fragment. */
  function pairs() {
    return location.hash.slice(1).split("&").slice(1).map(function (pair) {
      var at = pair.indexOf("=");
      return at < 0 ? [pair, ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1)).replace(/^'/, "")];
    });
  }

  function add(to, name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    made.textContent = text;
    to.append(made);
    return made;
  }

  /** What stands in the frame until the player does. */
  function firstText() {
    var all = pairs();
    var value = function (key) { return (all.find(function (pair) { return pair[0] === key; }) || [])[1]; };
    var card = document.createElement("section");
    card.id = "embed-first";
    add(card, "h1", "", value("title") || "Rollscope");
    if (value("notes")) add(card, "p", "", value("notes"));
    var settings = all.filter(function (pair) { return VIEW.indexOf(pair[0]) < 0 && pair[1]; });
    var list = add(card, "ul", "", "");
    settings.slice(0, SETTINGS_MAX).forEach(function (pair) {
      add(list, "li", "", (NAMES[pair[0]] || pair[0]) + " " + pair[1]);
    });
    if (settings.length > SETTINGS_MAX) add(list, "li", "", "and " + (settings.length - SETTINGS_MAX) + " more");
    return card;
  }

  var first = firstText();
  document.body.insertBefore(first, document.body.firstChild);

  // ---- when to begin ----

  var poster = asked.get("poster") === "1";
  /** Something was asked of the player before it was there: it is wanted now. */
  var ask = null;
  /** Play was pressed before the player was there. */
  var pressed = false;

  /** The frame is in view. Where a browser cannot tell, it is. */
  function inView() {
    return new Promise(function (resolve) {
      if (!window.IntersectionObserver) return resolve();
      var observer = new IntersectionObserver(function (entries) {
        if (!entries.some(function (entry) { return entry.isIntersecting; })) return;
        observer.disconnect();
        resolve();
      }, { rootMargin: "400px" });
      observer.observe(first);
    });
  }

  /** With a poster nothing is fetched before its button is pressed. */
  function wanted() {
    if (!poster) return inView();
    return new Promise(function (resolve) {
      var play = add(first, "button", "button solid", "Play");
      play.type = "button";
      play.id = "embed-play";
      play.addEventListener("click", function () {
        pressed = true;
        play.disabled = true;
        play.textContent = "Loading";
        resolve();
      });
    });
  }

  // ---- one compiled program for all players of a page ----

  /** What this frame has compiled or is about to, by its address: for frames of the same site beside it. */
  var own = window.rollscopeShared = {};

  /** The program that a frame beside this one has, or one of its own. */
  function shared(address, compile) {
    function mine() {
      own[address] = compile(address);
      return own[address];
    }
    for (var index = 0; index < parent.length; index += 1) {
      var beside = null;
      var there = null;
      try {
        beside = parent[index];
        there = beside !== window && beside.rollscopeShared && beside.rollscopeShared[address];
      } catch (_) {
        // A frame of another site.
      }
      if (there) {
        // A frame that goes away may never finish.
        var gone = new Promise(function (_, reject) { beside.addEventListener("pagehide", reject); });
        return Promise.race([there, gone]).catch(mine);
      }
    }
    return mine();
  }

  // ---- what the page around it asks, and hears ----

  /** Longest scenario that is taken as a text, in characters: twice what a link may hold. */
  var TEXT_MAX = 65536;
  /** The origin of the page that said hello; nothing is told before. */
  var host = null;
  /** The loader has brought the program; and it has what `window.rollscope` offers. */
  var stood = false;
  var standing = false;
  /** What was asked before the player stood. */
  var waiting = [];
  /** What was told last. */
  var told = { time: "", words: "", outcome: "", height: 0, width: 0 };
  /** Heights with room for everything, by the least width of the frame. */
  var HEIGHTS = [[600, 420], [480, 480], [0, 520]];

  /** What each message does; `null` where it is not of that form. */
  var ACTS = {
    play: function () { return function () { window.rollscope.play(); }; },
    pause: function () { return function () { window.rollscope.pause(); }; },
    seek: function (said) {
      return Number.isFinite(said.ms) && said.ms >= 0 ? function () { window.rollscope.seek(Math.min(said.ms, 1e12)); } : null;
    },
    step: function (said) {
      return said.by === 1 || said.by === -1 ? function () { window.rollscope.step(said.by); } : null;
    },
    open: function (said) {
      var given = said.scenario;
      var fits = typeof given === "string" ? given.length <= TEXT_MAX : given && typeof given === "object";
      return fits ? function () {
        told.outcome = "";
        window.rollscope.open(given);
      } : null;
    }
  };

  function tell(type, more) {
    if (host !== null) parent.postMessage(Object.assign({ rollscope: 1, type: type }, more), host);
  }

  /** Highest frame that is asked for, in pixels; and what waits to ask, until the pictures have their room. */
  var HEIGHT_MAX = 1200;
  var heightLater = null;

  /** The height in which nothing is cut off. It only grows as long as the width stays: no frame is to swing. */
  function tellHeight() {
    heightLater = null;
    var content = document.querySelector(".embedded .content");
    var body = content && content.parentElement;
    var chart = document.getElementById("chart");
    // A canvas that nothing was drawn on has the size of all canvases, which says nothing.
    var drawn = chart && !(chart.width === 300 && chart.height === 150);
    var over = content && drawn ? Math.ceil(content.getBoundingClientRect().bottom - body.getBoundingClientRect().bottom) : 0;
    var wanted = HEIGHTS.find(function (of) { return innerWidth >= of[0]; })[1];
    if (told.width !== innerWidth) told.height = 0;
    var height = Math.max(wanted, told.height, over > 0 ? Math.min(innerHeight + over, HEIGHT_MAX) : 0);
    if (height === told.height) return;
    told.height = height;
    told.width = innerWidth;
    tell("height", { height: height });
  }

  /** The player stands: what was asked before is done now. */
  function begin() {
    if (standing || !stood || !window.rollscope) return;
    standing = true;
    tell("ready", {});
    waiting.forEach(function (act) { act(); });
    waiting = [];
  }

  /** Tells what changed. The program calls this when its texts did. */
  function changed() {
    begin();
    var state = host !== null && standing && window.rollscope.state();
    if (!state) return;
    var clock = { moment_ms: state.moment_ms, end_ms: state.end_ms, playing: state.playing };
    var caption = document.getElementById("caption");
    var words = caption ? caption.textContent : "";
    var outcome = {
      outcome: state.outcome || null,
      completed_at_ms: state.completed_at_ms === undefined ? null : state.completed_at_ms,
      lowest_healthy: state.lowest_healthy,
      peak_tasks: state.peak_tasks
    };
    if (JSON.stringify(clock) !== told.time) tell("timechange", clock);
    if (words && words !== told.words) tell("decision", { moment_ms: state.moment_ms, text: words });
    if (state.complete && JSON.stringify(outcome) !== told.outcome) {
      told.outcome = JSON.stringify(outcome);
      tell("outcome", outcome);
    }
    told.time = JSON.stringify(clock);
    told.words = words;
    if (!heightLater) heightLater = setTimeout(tellHeight, 500);
  }

  window.addEventListener("message", function (event) {
    var said = event.data;
    if (parent === window || event.source !== parent || !said || typeof said !== "object" || said.rollscope !== 1) return;
    if (said.type === "hello") {
      // A page without an origin of its own, as in a sandbox, is told all the same: it asked.
      host = event.origin === "null" ? "*" : event.origin;
      told = { time: "", words: "", outcome: "", height: 0, width: 0 };
      tell("hello", {});
      tellHeight();
      if (standing) tell("ready", {});
      changed();
      return;
    }
    var act = host !== null && Object.prototype.hasOwnProperty.call(ACTS, said.type) ? ACTS[said.type](said) : null;
    if (!act) return;
    if (standing) act();
    else {
      waiting.push(act);
      ask();
    }
  });

  /** The loader: begin when this is resolved, tell when the player stands or did not load. */
  window.rollscopeEmbed = {
    wanted: Promise.race([wanted(), new Promise(function (resolve) { ask = resolve; })]),
    shared: shared,
    changed: changed,
    stands: function () {
      first.remove();
      stood = true;
      changed();
      if (!pressed) return;
      var play = document.getElementById("play");
      if (play) {
        play.focus({ preventScroll: true });
        play.click();
      }
    },
    failed: function () { first.remove(); }
  };
})();
