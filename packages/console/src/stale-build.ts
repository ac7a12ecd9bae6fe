import { isReloadBlocked } from "./block-reload.ts";

const KEY = "andon.reloadedAt";
const SHORTEST_MS = 10_000;

export function isServerThere(): Promise<boolean> {
  return fetch("/healthz").then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * After an upgrade of the server, an open page requests parts that do not exist any more: a reload loads the new ones. It reloads
 * once, so that missing parts do not cause a loop. It does not reload while the server is away, because the browser would replace
 * the page by its own error; the page waits for the server instead (`lazy-page.tsx`). It does not reload while something blocks
 * the reload, such as running uploads: the reader gets a button.
 */
addEventListener("vite:preloadError", async () => {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (Date.now() - last < SHORTEST_MS || isReloadBlocked() || !(await isServerThere())) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
});
