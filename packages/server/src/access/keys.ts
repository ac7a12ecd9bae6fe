import { AndonError, type Page, type Permission, type Principal } from "@andon/contract";
import { newId, type Store, type Tx } from "@andon/engine";
import type { Logger } from "pino";
import { validationFailed } from "../http/checked-request.ts";
import { namedScope, scopeOf as scopeOfCaller } from "../operator/scope.ts";
import { scopeOf } from "./scope.ts";
import { hashOf, newToken } from "./secrets.ts";

export interface ApiKey {
  id: string;
  name: string;
  permissions: Permission[];
  tenantId: string | null;
  organizationId: string | null;
  createdAt: number;
  createdBy: string;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

export interface NewApiKey {
  name: string;
  permissions: readonly Permission[];
  tenantId?: string | undefined;
  organizationId?: string | undefined;
  expiresAt?: number | undefined;
}

type KeyRow = Omit<ApiKey, "permissions"> & { permissions: string };

const COLUMNS = `id, name, permissions, tenant_id as "tenantId", organization_id as "organizationId",
  created_at as "createdAt", created_by as "createdBy", expires_at as "expiresAt", revoked_at as "revokedAt",
  last_used_at as "lastUsedAt"`;

/** The precision of a key's last use: one write per request would cost more than the request. */
const USE_NOTED_EVERY_MS = 60_000;

/** API keys. They are not cached between requests, so a revocation takes effect in every process at once. */
export class Keys {
  readonly #store: Store;
  readonly #log: Logger;
  readonly #beingNoted = new Set<string>();

  constructor(store: Store, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** A caller with a scope can create keys only within that scope. */
  async create(input: NewApiKey, maker: Principal, reason?: string): Promise<ApiKey & { token: string }> {
    const { actor } = maker;
    const token = newToken();
    const { tenant, organization } = namedScope(maker, input);
    const wish = { ...input, tenantId: tenant, organizationId: organization };
    const key = await this.#store.transaction("key-create", async (tx) => {
      const row = newRow(wish, actor, tx.now());
      await insert(tx, row, hashOf(token));
      const why = reason?.trim() || null;
      await tx.addAudit({
        ...about("key.create", row.id, actor),
        ...scopeOfCaller(maker),
        reason: why,
        before: null,
        after: shown(row),
      });
      return row;
    });
    return { ...key, token };
  }

  async list({ tenantId, organizationId }: Principal, page: number, limit: number): Promise<Page<ApiKey>> {
    const scope = [tenantId, organizationId];
    const [count] = await this.#store.scan<{ total: number }>(
      `select count(*) as total from server_keys where ${inScope(1)}`,
      scope,
    );
    const rows = await this.#store.scan<KeyRow>(
      `select ${COLUMNS} from server_keys where ${inScope(1)} order by id desc limit $3 offset $4`,
      [...scope, limit, (page - 1) * limit],
    );
    return { total: count?.total ?? 0, page, limit, items: rows.map(keyOf) };
  }

  /** A key that is already revoked stays unchanged. A key outside the caller's scope is not found. */
  revoke(id: string, caller: Principal): Promise<ApiKey> {
    const { actor, tenantId, organizationId } = caller;
    return this.#store.transaction("key-revoke", async (tx) => {
      const revoked = await tx.query<KeyRow>(
        `update server_keys set revoked_at = $1 where id = $2 and revoked_at is null and ${inScope(3)}
returning ${COLUMNS}`,
        [tx.now(), id, tenantId, organizationId],
      );
      const [row] = revoked.length > 0 ? revoked : await byId(tx, id, [tenantId, organizationId]);
      if (!row) throw new AndonError("KEY_NOT_FOUND", { key: id });
      const key = keyOf(row);
      if (revoked.length > 0) {
        const before = shown({ ...key, revokedAt: null });
        await tx.addAudit({
          ...about("key.revoke", id, actor),
          ...scopeOfCaller(caller),
          before,
          after: shown(key),
        });
      }
      return key;
    });
  }

  /** The key of a token, if it is neither revoked nor expired. */
  async find(token: string): Promise<ApiKey | undefined> {
    const now = this.#store.clock.now();
    const [row] = await this.#store.query<KeyRow>(
      `select ${COLUMNS} from server_keys
      where token_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
      [hashOf(token), now],
    );
    if (!row) return undefined;
    const key = keyOf(row);
    this.#noteUse(key, now);
    return key;
  }

  /** Nothing waits for this write. If it is lost, the last use is less precise. */
  #noteUse(key: ApiKey, now: number): void {
    const isDue = key.lastUsedAt === null || now - key.lastUsedAt >= USE_NOTED_EVERY_MS;
    if (!isDue || this.#beingNoted.has(key.id)) return;
    this.#beingNoted.add(key.id);
    this.#store
      .transaction("key-used", (tx) =>
        tx.query(
          "update server_keys set last_used_at = $1 where id = $2 and (last_used_at is null or last_used_at <= $3)",
          [now, key.id, now - USE_NOTED_EVERY_MS],
        ),
      )
      .catch((error) => this.#log.warn({ err: error, key: key.id }, "the use of a key was not noted"))
      .finally(() => this.#beingNoted.delete(key.id));
  }
}

function newRow(input: NewApiKey, actor: string, now: number): ApiKey {
  if (input.expiresAt !== undefined && input.expiresAt <= now) {
    const message = { en: "a time that is still to come", ko: "앞으로 올 시각이어야 합니다" };
    throw validationFailed([{ in: "body", field: "expiresAt", message }]);
  }
  return {
    id: newId(now),
    name: input.name,
    permissions: [...new Set(input.permissions)],
    ...scopeOf(input.tenantId, input.organizationId),
    createdAt: now,
    createdBy: actor,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
}

async function insert(tx: Tx, key: ApiKey, tokenHash: string): Promise<void> {
  await tx.query(
    `insert into server_keys
      (id, token_hash, name, permissions, tenant_id, organization_id, created_at, created_by, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.id,
      tokenHash,
      key.name,
      JSON.stringify(key.permissions),
      key.tenantId,
      key.organizationId,
      key.createdAt,
      key.createdBy,
      key.expiresAt,
    ],
  );
}

function byId(tx: Tx, id: string, scope: readonly (string | null)[]): Promise<KeyRow[]> {
  return tx.query<KeyRow>(`select ${COLUMNS} from server_keys where id = $1 and ${inScope(2)}`, [
    id,
    ...scope,
  ]);
}

/** The condition for keys within a scope; tenant and organisation are the SQL parameters from number `first` on. */
function inScope(first: number): string {
  return `(cast($${first} as text) is null or tenant_id = $${first})
and (cast($${first + 1} as text) is null or organization_id = $${first + 1})`;
}

function keyOf(row: KeyRow): ApiKey {
  return { ...row, permissions: JSON.parse(row.permissions) };
}

function about(action: string, id: string, actor: string) {
  return { actor, action, target: `key:${id}`, reason: null };
}

/** The fields of a key that the audit log stores. */
function shown({ name, permissions, tenantId, organizationId, expiresAt, revokedAt }: ApiKey) {
  return { name, permissions, tenantId, organizationId, expiresAt, revokedAt };
}
