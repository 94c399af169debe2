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

  /** The loader: begin when this is resolved, tell when the player stands or did not load. */
  window.rollscopeEmbed = {
    wanted: wanted(),
    stands: function () {
      first.remove();
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
