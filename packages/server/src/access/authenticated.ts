import type { Principal } from "@andon/contract";

/** What somebody's access rests on. A session or a link that is made from it ends with it. */
export interface Basis {
  readonly keyId: string | null;
  readonly expiresAt: number | null;
}

export interface Authenticated {
  readonly principal: Principal;
  readonly by: "token" | "session";
  /** The principal alone, where its `actor` carries a person's name. */
  readonly actor?: string;
  /** What the person behind a session is called; null: nobody has said. */
  readonly name?: string | null;
  readonly basis: Basis;
}
