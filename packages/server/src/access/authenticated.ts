import type { Principal } from "@andon/contract";

/** The credential behind an access. A session or a link made from it ends with it. */
export interface Basis {
  readonly keyId: string | null;
  readonly expiresAt: number | null;
}

export interface Authenticated {
  readonly principal: Principal;
  readonly by: "token" | "session";
  /** The actor without the person's name, if `principal.actor` includes one. */
  readonly actor?: string;
  /** The name of the person behind a session; null if none was given. */
  readonly name?: string | null;
  readonly basis: Basis;
}
