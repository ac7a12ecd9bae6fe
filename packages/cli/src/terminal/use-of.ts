import type { Use } from "./command.ts";

/** One use of a command, whose client is opened at the first look at it. */
export function useOf(parts: Omit<Use, "client" | "clientOf" | "server">): Use {
  let client: Use["client"] | undefined;
  const use = {
    ...parts,
    clientOf: (routes) => parts.connection.clientOf(routes),
    server: () => import("@andon/server"),
  } as Use;
  const get = () => {
    client ??= parts.connection.client();
    return client;
  };
  // Not enumerable: a copy of the use, as the demo makes one, is no look at the client, which needs a key.
  return Object.defineProperty(use, "client", { get });
}
