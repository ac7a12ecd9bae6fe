import type { Page, Permission, Principal } from "@andon/contract";
import { newId, type Store, type StoreTx, type Tx } from "@andon/engine";
import type { Authenticated, Basis } from "./authenticated.ts";
import { hashOf, newSecret } from "./secrets.ts";

const SESSION_LIFE_MS = 12 * 3_600_000;

/** An open login, as administrators see it. */
export interface OpenLogin {
  id: string;
  actor: string;
  permissions: Permission[];
  tenantId: string | null;
  organizationId: string | null;
  keyId: string | null;
  createdAt: number;
  expiresAt: number;
  isOwn: boolean;
}

type LoginRow = Omit<OpenLogin, "permissions" | "isOwn"> & {
  name: string | null;
  permissions: string;
  tokenHash: string;
};

const LOGIN_COLUMNS = `s.id, s.actor, s.name, s.permissions, s.tenant_id as "tenantId", s.organization_id as "organizationId",
  s.key_id as "keyId", s.created_at as "createdAt", s.expires_at as "expiresAt", s.token_hash as "tokenHash"`;

export interface OpenedSession {
  session: string;
  expiresAt: number;
}

interface SessionRow {
  actor: string;
  name: string | null;
  permissions: string;
  tenantId: string | null;
  organizationId: string | null;
  keyId: string | null;
  expiresAt: number;
}

/** The SQL condition for a session or code made from a key: the key is neither revoked nor expired. `now` is a parameter. */
export function keyIsValidSql(keyId: string, now: string): string {
  return `(${keyId} is null or exists (select 1 from server_keys k where k.id = ${keyId}
    and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})))`;
}

/**
 * The actor with the person's name, for the audit log. The actor comes first and complete, a person's name contains no bracket, and
 * the name of a new key does not end with one: so no name can imitate another actor.
 */
function actorWithName(actor: string, name: string | null): string {
  return name === null ? actor : `${actor} (${name})`;
}

/** Whether the person can set a name. A caller `user:<subject>` already has a name from the issuer. */
export function canBeNamed({ by, actor }: Pick<Authenticated, "by" | "actor">): boolean {
  return by === "session" && actor !== undefined && !actor.startsWith("user:");
}

/** Sessions of the console. They last at most 12 hours, and never longer than the credential they were made from. */
export class Sessions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(session: string): Promise<Authenticated | undefined> {
    const [row] = await this.#store.query<SessionRow>(
      `select s.actor, s.name, s.permissions, s.tenant_id as "tenantId", s.organization_id as "organizationId",
        s.key_id as "keyId", s.expires_at as "expiresAt"
      from server_sessions s
      where s.token_hash = $1 and s.expires_at > $2 and ${keyIsValidSql("s.key_id", "$2")}`,
      [hashOf(session), this.#store.clock.now()],
    );
    if (!row) return undefined;
    const { keyId, expiresAt, permissions, actor, name, ...scope } = row;
    return {
      principal: {
        ...scope,
        actor: actorWithName(actor, name),
        permissions: JSON.parse(permissions),
        ...(keyId === null ? {} : { keyId }),
      },
      by: "session",
      actor,
      name,
      basis: { keyId, expiresAt },
    };
  }

  /** Runs in the transaction of the login, writes its audit row, and deletes expired sessions. */
  async open(tx: StoreTx, principal: Principal, basis: Basis): Promise<OpenedSession> {
    const now = tx.now();
    const [id, session] = [newId(now), newSecret()];
    const expiresAt = Math.min(now + SESSION_LIFE_MS, basis.expiresAt ?? Number.POSITIVE_INFINITY);
    await forgetExpired(tx, now);
    await tx.query(
      `insert into server_sessions
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

  /** The open logins. `own` is the caller's session. */
  async list(page: number, limit: number, own: string | undefined): Promise<Page<OpenLogin>> {
    const now = this.#store.clock.now();
    const open = `from server_sessions s where s.expires_at > $1 and ${keyIsValidSql("s.key_id", "$1")}`;
    const [count] = await this.#store.scan<{ total: number }>(`select count(*) as total ${open}`, [now]);
    const rows = await this.#store.scan<LoginRow>(
      `select ${LOGIN_COLUMNS} ${open} order by s.created_at desc, s.id desc limit $2 offset $3`,
      [now, limit, (page - 1) * limit],
    );
    return { total: count?.total ?? 0, page, limit, items: rows.map((row) => loginOf(row, own)) };
  }

  /** Ends the session with this id, or all but the caller's own. */
  endOf(which: { id: string } | "others", actor: string, own: string | undefined): Promise<OpenLogin[]> {
    return this.#store.transaction("session-end", async (tx) => {
      const [condition, value] =
        which === "others" ? ["s.token_hash <> $1", own ? hashOf(own) : ""] : ["s.id = $1", which.id];
      const rows = await tx.query<LoginRow>(
        `select ${LOGIN_COLUMNS} from server_sessions s where ${condition} order by s.id`,
        [value],
      );
      for (const row of rows) {
        const [gone] = await tx.query("delete from server_sessions where id = $1 returning id", [row.id]);
        // Another transaction may have ended it in the meantime.
        if (gone)
          await tx.addAudit({
            ...about("session.end", row.id, actor),
            before: { actor: row.actor },
            after: null,
          });
      }
      return rows.map((row) => loginOf(row, own));
    });
  }

  /** Sets the name of the person behind a session. Returns false if the session has ended. */
  name(session: string, name: string | null): Promise<boolean> {
    return this.#store.transaction("session-name", async (tx) => {
      const token = hashOf(session);
      const [found] = await tx.query<{ id: string; actor: string; name: string | null }>(
        "select id, actor, name from server_sessions where token_hash = $1",
        [token],
      );
      if (!found || found.name === name) return found !== undefined;
      await tx.query("update server_sessions set name = $1 where token_hash = $2", [name, token]);
      const { id, actor } = found;
      await tx.addAudit({
        ...about("login.name", id, actorWithName(actor, found.name)),
        before: { name: found.name },
        after: { name },
      });
      return true;
    });
  }

  /** Does nothing if the session does not exist, because then it has already ended. */
  async end(session: string): Promise<void> {
    await this.#store.transaction("logout", async (tx) => {
      const ended = await tx.query<{ id: string; actor: string; name: string | null }>(
        "delete from server_sessions where token_hash = $1 returning id, actor, name",
        [hashOf(session)],
      );
      for (const { id, actor, name } of ended)
        await tx.addAudit({ ...about("logout", id, actorWithName(actor, name)), after: null });
    });
  }
}

function loginOf(
  { tokenHash, permissions, actor, name, ...row }: LoginRow,
  own: string | undefined,
): OpenLogin {
  return {
    ...row,
    actor: actorWithName(actor, name),
    permissions: JSON.parse(permissions),
    isOwn: own !== undefined && tokenHash === hashOf(own),
  };
}

async function forgetExpired(tx: Tx, now: number): Promise<void> {
  await tx.query("delete from server_sessions where expires_at <= $1", [now]);
  await tx.query("delete from server_login_codes where expires_at <= $1", [now]);
}

function about(action: string, id: string, actor: string) {
  return { actor, action, target: `session:${id}`, reason: null, before: null };
}
