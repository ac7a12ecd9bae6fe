import { api } from "../api/client.ts";

/**
 * A console link carries a one-use code in its fragment. It is taken out of the address, and so out of the history,
 * before anything else happens, and exchanged exactly once.
 */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

const code = takeCode();

/** The exchange of the link's code, if there was one. */
export const codeLogin = code === undefined ? undefined : api().session.login({ code });
codeLogin?.catch(() => undefined);

// A link pasted into an open tab changes the fragment alone, which loads nothing.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#code=")) location.reload();
});
