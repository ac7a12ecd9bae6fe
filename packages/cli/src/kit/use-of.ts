import type { Use } from "./command.ts";

/** One use of a command, whose clients are opened at the first look at them. */
export function useOf(parts: Omit<Use, "client" | "vault">): Use {
  let client: Use["client"] | undefined;
  let vault: Use["vault"] | undefined;
  return {
    ...parts,
    get client() {
      client ??= parts.connection.client();
      return client;
    },
    get vault() {
      vault ??= parts.connection.vault();
      return vault;
    },
  };
}
