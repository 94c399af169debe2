// A page of somebody else, served from another site, with players in frames.

import { createServer } from "node:http";
import { openPage, topUrl } from "./harness.mjs";

/** Four tasks, half at a time, behind a load balancer. */
export const scenario =
  "v1&title=Half%20at%20a%20time&notes=Two%20rounds&desired=4&min=100&max=150" +
  "&tg.0.healthCheckIntervalSeconds=10&tg.0.deregistration_delay%2Etimeout_seconds=60";

/** The frame of a player. `query` begins with `&`; `attributes` go into the tag. */
export function player({ query = "", fragment = scenario, attributes = "", url = topUrl() } = {}) {
  const address = `${url}?embed=1${query}#${fragment}`.replaceAll("&", "&amp;");
  return `<iframe title="A rollout" width="720" height="420" ${attributes} src="${address}"></iframe>`;
}

/** Starts a server, by default of another site; `body` is what stands in its page. */
export async function serveHost(body, site = "localhost") {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
    <title>Docs</title><link rel="icon" href="data:,"><body>${body}</body></html>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(html);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Another name is another site: its frames share nothing with the page.
  return { url: `http://${site}:${server.address().port}/`, close: () => server.close() };
}

/** Opens such a page. `frames()` are those of its players, in their order. */
export async function openHost(browser, body, options = {}) {
  const host = await serveHost(body, options.site);
  const opened = await openPage(browser, "", { ...options, url: host.url });
  const players = () => opened.page.frames().filter((frame) => frame.url().includes("?embed=1"));
  return {
    ...opened,
    players,
    /** The first player, once it stands. */
    player: async () => {
      const [frame] = players();
      await stands(frame);
      return frame;
    },
    close: async () => {
      await opened.close();
      host.close();
    },
  };
}

/** Waits until a player stands with its pictures, or has told why not. */
export const stands = (frame) => frame.waitForFunction(() => {
  const { state, rest } = document.getElementById("boot-message")?.dataset ?? {};
  return state === "failed" || (state === "started" && rest);
});

/** What the player in a frame says of itself. */
export const state = (frame) => frame.evaluate(() => window.rollscope?.state() ?? null);
