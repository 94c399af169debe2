// Starts the page, or says in words why it does not start or why it stopped.
//
// This is a file of its own because the content policy forbids inline scripts, and it runs where
// no WebAssembly does, so its sentences stand here. It knows nothing about the page but the
// addresses which the build writes into <meta name="rollscope-app">.
(function () {
  "use strict";

  var message = document.getElementById("boot-message");
  var app = document.querySelector('meta[name="rollscope-app"]');
  var wasmRefusedByPolicy = false;
  /** What web/js/embed.js hands over where this is a player inside another page. */
  var embed = window.rollscopeEmbed;

  // ---- what can go wrong before the page runs ----

  /** A part of the page that did not arrive. */
  function NotLoaded(address, cause) {
    this.address = address;
    this.cause = cause;
  }
  NotLoaded.prototype.toString = function () {
    return this.address + " did not load: " + this.cause;
  };

  function sentenceFor(error) {
    var text = String(error);
    if (location.protocol === "file:") {
      return "Rollscope cannot run straight from a file: browsers load WebAssembly from web servers only. " +
        "Put the folder on any web server, or run “cargo xtask serve”.";
    }
    if (typeof WebAssembly !== "object") {
      return "This browser has no WebAssembly, or it is switched off (for example by a lockdown mode). Rollscope needs it.";
    }
    if (wasmRefusedByPolicy || /content security policy|blocked by csp|unsafe-eval/i.test(text)) {
      return "The content policy of this site refuses WebAssembly, which Rollscope is made of. " +
        "Whoever runs the site has to allow 'wasm-unsafe-eval' in script-src.";
    }
    if (error instanceof NotLoaded) {
      return navigator.onLine === false
        ? "A part of Rollscope did not load: this browser is offline."
        : "A part of Rollscope did not load (" + error.cause + "). Check the connection.";
    }
    if (error instanceof WebAssembly.RuntimeError) {
      return "Rollscope stopped while it started, because of a fault of its own.";
    }
    if (error instanceof WebAssembly.LinkError) {
      return "The parts of Rollscope do not fit together; the browser has probably kept an old one. " +
        "Load the page again without its cache (Ctrl+Shift+R).";
    }
    if (error instanceof WebAssembly.CompileError) {
      return "This browser does not understand Rollscope's WebAssembly. It is probably older than 2021, or the file arrived damaged.";
    }
    return "Rollscope could not start: " + text + ".";
  }

  /** What whoever runs the server needs to know. */
  function hostDetails(error) {
    var here = new URL(".", document.baseURI).href;
    return [
      "Page: " + here,
      "Error: " + String(error),
      "Program: " + app.getAttribute("data-wasm"),
      "The server has to send .wasm files as application/wasm and .js files as text/javascript.",
      "A content policy has to allow script-src 'self' 'wasm-unsafe-eval', style-src 'self', img-src 'self' data: blob: and connect-src 'self'.",
      "Browser: " + navigator.userAgent
    ].join("\n");
  }

  // ---- pieces of the screen ----

  /** An element with a text and a class; nothing of the page is needed for it. */
  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  function button(id, text, solid, pressed) {
    var made = element("button", "button " + (solid ? "solid" : "line"), text);
    made.type = "button";
    made.id = id;
    made.addEventListener("click", function () { pressed(made); });
    return made;
  }

  /** A text that can be selected, and a button that copies it. */
  function copyable(id, label, text, rows) {
    var field = element("textarea", "boot-text");
    field.id = id;
    field.readOnly = true;
    field.rows = rows;
    field.value = text;
    field.setAttribute("aria-label", label);
    var copy = button(id + "-copy", "Copy", false, function (made) {
      var select = function () { field.focus(); field.select(); };
      if (!navigator.clipboard) return select();
      navigator.clipboard.writeText(text).then(function () { made.textContent = "Copied"; }, select);
    });
    copy.setAttribute("aria-label", "Copy: " + label);
    var line = element("div", "boot-copy");
    line.append(field, copy);
    return line;
  }

  /** The sentence, the picture of the resting state, and the ways on. */
  function showNotLoaded(error) {
    var details = element("pre", "boot-details", hostDetails(error));
    details.id = "boot-details";
    details.hidden = true;
    var toggle = button("boot-details-button", "Details for whoever hosts this page", false, function (made) {
      details.hidden = !details.hidden;
      made.setAttribute("aria-expanded", String(!details.hidden));
    });
    toggle.setAttribute("aria-expanded", "false");
    toggle.setAttribute("aria-controls", details.id);
    var buttons = element("div", "boot-buttons");
    buttons.append(button("boot-again", "Try again", false, function () { location.reload(); }), toggle);
    var card = element("div", "boot-card");
    card.append(
      element("h1", "", "The engine did not load"),
      element("p", "boot-cause", sentenceFor(error) + " The diagram stands still, its text still holds."),
      document.getElementById("boot-still").content.cloneNode(true),
      element("p", "", "4 tasks, floor 4, ceiling 6: 2 may start, 0 may stop."),
      buttons,
      details
    );
    if (embed) embed.failed();
    message.textContent = "";
    message.setAttribute("data-state", "failed");
    message.setAttribute("role", "alert");
    message.append(card);
  }

  function fail(error) {
    showNotLoaded(error);
    console.error(error);
  }

  // ---- what can go wrong while it runs ----

  var stopped = false;
  /** What the program said last before it stopped; it hands it over itself. */
  var lastWords = "";

  window.rollscopePanic = function (text) {
    lastWords = text;
    console.error(text);
  };

  /** True for an error that left the program in the middle of something. Nothing answers any more then. */
  function isFromProgram(error) {
    if (typeof WebAssembly !== "object" || !error) return false;
    return error instanceof WebAssembly.RuntimeError || /wasm-function|\.wasm[:)\]]/.test(String(error.stack));
  }

  function report(error) {
    var version = window.rollscope && window.rollscope.version;
    return [
      "Rollscope " + (version || "(version unknown)") + ", " + app.getAttribute("data-wasm"),
      "Message: " + (lastWords || String(error)),
      "Scenario: " + location.href,
      "Browser: " + navigator.userAgent
    ].join("\n");
  }

  /** Over everything, also over open dialogs: what happened, what is not lost, the way on. */
  function showStopped(error) {
    if (stopped) return;
    stopped = true;
    var dialog = element("dialog", "boot-card boot-stopped");
    dialog.id = "boot-stopped";
    dialog.setAttribute("aria-labelledby", "boot-stopped-title");
    var title = element("h1", "", "Rollscope has stopped");
    title.id = "boot-stopped-title";
    var buttons = element("div", "boot-buttons");
    buttons.append(button("boot-reload", "Reload", true, function () { location.reload(); }));
    dialog.append(
      title,
      element("p", "boot-cause", "It came upon a fault of its own and cannot go on. The link holds your scenario; loading the page again opens it."),
      element("p", "boot-label", "Link of the scenario"),
      copyable("boot-link", "link of the scenario", location.href, 2),
      element("p", "boot-label", "Report for the makers of Rollscope"),
      copyable("boot-report", "report for the makers of Rollscope", report(error), 6),
      buttons
    );
    // Nothing behind it works, so there is nothing to close it for.
    dialog.addEventListener("cancel", function (event) { event.preventDefault(); });
    document.body.append(dialog);
    if (dialog.showModal) dialog.showModal();
    else dialog.setAttribute("open", "");
  }

  function noticed(error) {
    if (!isFromProgram(error)) return;
    if (message.getAttribute("data-state") === "started") showStopped(error);
    else showNotLoaded(error);
  }
  addEventListener("error", function (event) { noticed(event.error); });
  addEventListener("unhandledrejection", function (event) { noticed(event.reason); });

  // ---- loading ----

  document.addEventListener("securitypolicyviolation", function (event) {
    if (/^wasm-eval|^eval/.test(event.blockedURI)) {
      wasmRefusedByPolicy = true;
    }
  });

  function loadWasm(address) {
    return fetch(address).then(
      function (response) {
        if (!response.ok) {
          throw new NotLoaded(address, "the server answered " + response.status);
        }
        return response;
      },
      function () {
        throw new NotLoaded(address, "its program was not reached");
      }
    );
  }

  /** A program that is compiled, but not begun yet. Streaming asks for the type that a server may not know. */
  function compiled(address) {
    return loadWasm(address).then(function (response) {
      var streams = WebAssembly.compileStreaming && response.headers.get("content-type") === "application/wasm";
      return streams ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then(WebAssembly.compile);
    });
  }

  function loadScript(address) {
    return import(address).catch(function (error) {
      // An error of the syntax means that it did arrive.
      throw error instanceof TypeError ? new NotLoaded(address, "its script was not reached") : error;
    });
  }

  /** Loads a program by the two attributes that name its files; gives what it exports. */
  function load(js, wasm, query) {
    // Relative to the page, also where this file lies elsewhere.
    var address = function (name) { return new URL(app.getAttribute(name) + query, document.baseURI).href; };
    // Players of one page share what was compiled.
    var program = embed ? embed.shared(address(wasm), compiled) : loadWasm(address(wasm));
    return Promise.all([program, loadScript(address(js))]).then(function (parts) {
      return parts[1].default({ module_or_path: parts[0] }).then(function () { return parts[1]; });
    });
  }

  /** The sentence for a part that is needed after the start. */
  function unreached(error) {
    var cause = navigator.onLine === false ? "this browser is offline" : error.cause || String(error);
    return "The part of Rollscope that this needs did not load (" + cause + "). Nothing else is affected.";
  }

  // The second program: fetched when it is first needed, once. The page calls this.
  var lazy = null;
  var attempts = 0;
  window.rollscopeLazy = function () {
    if (lazy) return lazy;
    attempts += 1;
    // A browser remembers that a script did not load; under another address it asks again.
    lazy = load("data-lazy-js", "data-lazy-wasm", attempts > 1 ? "?" + attempts : "").catch(function (error) {
      lazy = null;
      throw new Error(unreached(error));
    });
    return lazy;
  };

  // The rest of the program: what the first picture does without. The program says when that stands.
  var exports = null;
  var told = null;
  var rest = null;
  var placed = false;

  function restAddress() {
    return new URL(app.getAttribute("data-rest"), document.baseURI).href;
  }

  /** Places the functions of a compiled rest into the table of the program. */
  function place(module) {
    return new WebAssembly.Instance(module, { m: exports });
  }

  /** What the program hands over before it does anything: its exports, and who wants to hear of the rest. */
  window.rollscopeProgram = function (ofProgram, hear) {
    exports = ofProgram;
    told = function (missing) {
      message.setAttribute("data-rest", missing ? "missing" : "here");
      hear(missing);
    };
    // A program that was not split is whole.
    placed = !app.getAttribute("data-rest");
  };

  /** Fetches the rest: in its own time, or now, because a function of it is called. */
  window.rollscopeRest = function (now) {
    if (placed) {
      if (!now) setTimeout(told, 0, "");
    } else if (now) {
      var request = new XMLHttpRequest();
      request.open("GET", restAddress(), false);
      request.overrideMimeType("text/plain; charset=x-user-defined");
      request.send();
      if (request.status !== 200) throw new NotLoaded(restAddress(), "the server answered " + request.status);
      var bytes = Uint8Array.from(request.responseText, function (letter) { return letter.charCodeAt(0); });
      place(new WebAssembly.Module(bytes));
      placed = true;
    } else if (!rest) {
      rest = (embed ? embed.shared(restAddress(), compiled) : compiled(restAddress())).then(function (module) {
        if (!placed) place(module);
        placed = true;
        told("");
      }).catch(function (error) {
        rest = null;
        told(unreached(error));
      });
    }
  };

  message.setAttribute("data-state", "loading");
  message.setAttribute("role", "status");
  message.textContent = "Rollscope is loading.";
  try {
    // The program draws by it from its first frame on.
    if (!window.rollscopeShapes) throw new NotLoaded("shapes.js", "its script was not reached");
    var wanted = embed ? embed.wanted : Promise.resolve();
    wanted.then(function () { return load("data-js", "data-wasm", ""); }).then(function () {
      // The page itself may have failed meanwhile; that sentence stays.
      if (message.getAttribute("data-state") === "loading") {
        message.setAttribute("data-state", "started");
        message.textContent = "";
        if (embed) embed.stands();
      }
    }, fail);
  } catch (error) {
    fail(error);
  }
})();
