import type { Use } from "./command.ts";

/** One run of a command. Its client is opened on first access. */
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
  // Not enumerable: copying the use by spread, as the demo does, must not open the client, which needs a key.
  return Object.defineProperty(use, "client", { get });
}
