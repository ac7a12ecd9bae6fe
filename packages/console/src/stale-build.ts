import { isWorthKeeping } from "./block-reload.ts";

const KEY = "andon.reloadedAt";
const SHORTEST_MS = 10_000;

export function isServerThere(): Promise<boolean> {
  return fetch("/healthz").then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * After an upgrade of the server, an open page asks for parts that are gone: loading it anew brings the new ones. Once,
 * so that parts that stay away do not make it load for ever. Not while the server itself is away: the browser would show
 * its own error in place of what is on the page, which waits for the server (`part.tsx`). Nor while uploads are left that would
 * go with the page: its reader is shown a button.
 */
addEventListener("vite:preloadError", async () => {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (Date.now() - last < SHORTEST_MS || isWorthKeeping() || !(await isServerThere())) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
});
