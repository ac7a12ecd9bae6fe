import type { Principal } from "@andon/contract";

/** What somebody's access rests on. A session or a link that is made from it ends with it. */
export interface Basis {
  readonly keyId: string | null;
  readonly expiresAt: number | null;
}

export interface Authenticated {
  readonly principal: Principal;
  readonly by: "token" | "session";
  readonly basis: Basis;
}
