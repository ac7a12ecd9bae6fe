import { api } from "../api/client.ts";

/**
 * A console link contains a one-use code in its fragment. The code is removed from the address, and so from the history,
 * before anything else happens, and is exchanged exactly once.
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

// A link pasted into an open tab changes only the fragment, which does not load the page.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#code=")) location.reload();
});
