import type { Principal } from "@andon/contract";
import { newId, type Store, type StoreTx, type Tx } from "@andon/engine";
import type { Authenticated, Basis } from "./authenticated.ts";
import { hashOf, newSecret } from "./secrets.ts";

const SESSION_LIFE_MS = 12 * 3_600_000;

export interface OpenedSession {
  session: string;
  expiresAt: number;
}

interface SessionRow {
  actor: string;
  permissions: string;
  tenantId: string | null;
  organizationId: string | null;
  keyId: string | null;
  expiresAt: number;
}

/** What a session or a code of a key still needs: the key itself, neither revoked nor expired. `now` is a parameter's name. */
export function keyStillStands(keyId: string, now: string): string {
  return `(${keyId} is null or exists (select 1 from andon_keys k where k.id = ${keyId}
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})))`;
}

/** Sessions of the console. They live for 12 hours at most, and never longer than what they were made from. */
export class Sessions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(session: string): Promise<Authenticated | undefined> {
    const [row] = await this.#store.query<SessionRow>(
      `select s.actor, s.permissions, s.tenant_id as "tenantId", s.organization_id as "organizationId",
        s.key_id as "keyId", s.expires_at as "expiresAt"
      from andon_sessions s
      where s.token_hash = $1 and s.expires_at > $2 and ${keyStillStands("s.key_id", "$2")}`,
      [hashOf(session), this.#store.clock.now()],
    );
    if (!row) return undefined;
    const { keyId, expiresAt, permissions, ...who } = row;
    return {
      principal: { ...who, permissions: JSON.parse(permissions), ...(keyId === null ? {} : { keyId }) },
      by: "session",
      basis: { keyId, expiresAt },
    };
  }

  /** Part of the transaction that lets somebody in, with its audit row. Clears away what has expired. */
  async open(tx: StoreTx, principal: Principal, basis: Basis): Promise<OpenedSession> {
    const now = tx.now();
    const [id, session] = [newId(now), newSecret()];
    const expiresAt = Math.min(now + SESSION_LIFE_MS, basis.expiresAt ?? Number.POSITIVE_INFINITY);
    await forgetExpired(tx, now);
    await tx.query(
      `insert into andon_sessions
        (id, token_hash, actor, permissions, tenant_id, organization_id, key_id, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        hashOf(session),
        principal.actor,
        JSON.stringify(principal.permissions),
        principal.tenantId,
        principal.organizationId,
        basis.keyId,
        now,
        expiresAt,
      ],
    );
    await tx.addAudit({ ...about("login", id, principal.actor), after: { expiresAt } });
    return { session, expiresAt };
  }

  /** A session that is not there has ended already. */
  async end(session: string): Promise<void> {
    await this.#store.transaction("logout", async (tx) => {
      const ended = await tx.query<{ id: string; actor: string }>(
        "delete from andon_sessions where token_hash = $1 returning id, actor",
        [hashOf(session)],
      );
      for (const { id, actor } of ended) await tx.addAudit({ ...about("logout", id, actor), after: null });
    });
  }
}

async function forgetExpired(tx: Tx, now: number): Promise<void> {
  await tx.query("delete from andon_sessions where expires_at <= $1", [now]);
  await tx.query("delete from andon_login_codes where expires_at <= $1", [now]);
}

function about(action: string, id: string, actor: string) {
  return { actor, action, target: `session:${id}`, reason: null, before: null };
}
