import { newId, type Store, type StoreTx } from "@andon/engine";
import type { Basis } from "./authenticated.ts";
import { hashOf, newSecret } from "./secrets.ts";
import { keyIsValidSql } from "./sessions.ts";

const CODE_LIFE_MS = 15 * 60_000;

/** One-use codes for console links. */
export class LoginCodes {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  create(
    { actor, maker }: { actor: string; maker: string },
    basis: Basis,
    reason?: string,
  ): Promise<{ code: string; expiresAt: number }> {
    return this.#store.transaction("login-link", async (tx) => {
      const now = tx.now();
      const [id, code, expiresAt] = [newId(now), newSecret(), now + CODE_LIFE_MS];
      await tx.query(
        `insert into server_login_codes (id, code_hash, actor, key_id, session_until, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, hashOf(code), actor, basis.keyId, basis.expiresAt, now, expiresAt],
      );
      const about = { actor: maker, action: "login.link", target: `login-link:${id}` };
      const why = reason?.trim() || null;
      await tx.addAudit({ ...about, reason: why, before: null, after: { expiresAt } });
      return { code, expiresAt };
    });
  }

  /** Uses a code, inside the transaction that opens its session: of two concurrent callers only one succeeds. */
  async take(tx: StoreTx, code: string): Promise<{ actor: string; basis: Basis } | undefined> {
    const [row] = await tx.query<{ actor: string; keyId: string | null; sessionUntil: number | null }>(
      `update server_login_codes set used_at = $1
      where code_hash = $2 and used_at is null and expires_at > $1
        and (session_until is null or session_until > $1)
        and ${keyIsValidSql("server_login_codes.key_id", "$1")}
      returning actor, key_id as "keyId", session_until as "sessionUntil"`,
      [tx.now(), hashOf(code)],
    );
    return row && { actor: row.actor, basis: { keyId: row.keyId, expiresAt: row.sessionUntil } };
  }
}
