// Starts the page, or says in words why it does not start.
//
// This is a file of its own because the content policy forbids inline scripts.
// It knows nothing about the page but two addresses, which the build writes
// into <meta name="rollscope-app">.
(function () {
  "use strict";

  var message = document.getElementById("boot-message");
  var app = document.querySelector('meta[name="rollscope-app"]');
  var wasmRefusedByPolicy = false;

  function tell(state, role, sentence) {
    message.setAttribute("data-state", state);
    message.setAttribute("role", role);
    message.textContent = sentence;
  }

  function fail(error) {
    tell("failed", "alert", sentenceFor(error));
    console.error(error);
  }

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
      return "A part of Rollscope did not load (" + error.cause + "). Check the connection and load the page again.";
    }
    if (error instanceof WebAssembly.RuntimeError) {
      return "Rollscope has stopped because of a fault of its own. Load the page again; the address keeps the scenario.";
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

  function loadScript(address) {
    return import(address).catch(function (error) {
      // An error of the syntax means that it did arrive.
      throw error instanceof TypeError ? new NotLoaded(address, "its script was not reached") : error;
    });
  }

  function start() {
    // Relative to the page, also where this file lies elsewhere.
    var js = new URL(app.getAttribute("data-js"), document.baseURI).href;
    var wasm = new URL(app.getAttribute("data-wasm"), document.baseURI).href;
    return Promise.all([loadScript(js), loadWasm(wasm)]).then(function (parts) {
      return parts[0].default({ module_or_path: parts[1] });
    });
  }

  document.addEventListener("securitypolicyviolation", function (event) {
    if (/^wasm-eval|^eval/.test(event.blockedURI)) {
      wasmRefusedByPolicy = true;
    }
  });

  // After a panic nothing in the page answers any more: say so.
  addEventListener("error", function (event) {
    if (typeof WebAssembly === "object" && event.error instanceof WebAssembly.RuntimeError) {
      tell("failed", "alert", sentenceFor(event.error));
    }
  });
  addEventListener("unhandledrejection", function (event) {
    if (typeof WebAssembly === "object" && event.reason instanceof WebAssembly.RuntimeError) {
      tell("failed", "alert", sentenceFor(event.reason));
    }
  });

  tell("loading", "status", "Rollscope is loading.");
  try {
    start().then(function () {
      // The page itself may have failed meanwhile; that sentence stays.
      if (message.getAttribute("data-state") === "loading") {
        tell("started", "status", "");
      }
    }, fail);
  } catch (error) {
    fail(error);
  }
})();
