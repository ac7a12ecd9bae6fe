import { randomUUID } from "node:crypto";
import { Conditions, type PageOf, pageOfRows } from "@andon/app";
import { iso } from "@andon/contract";
import type { Store, Tx } from "@andon/engine";
import type { Scope } from "../broadcast-context.ts";
import type { ImportState } from "../contract/states.ts";
import type { ChannelOwner } from "./store-channels.ts";

interface ImportCount {
  readonly received: number;
  readonly stored: number;
}

/** The row of one import. Its count commits with each batch, so it is exact even after a crash. */
export class ImportProgress {
  readonly #store: Store;
  readonly #owner: ChannelOwner & { readonly createdBy: string };
  readonly #id = randomUUID();
  readonly #startedAt: number;
  #isKept = false;

  constructor(store: Store, owner: ChannelOwner & { readonly createdBy: string }) {
    this.#store = store;
    this.#owner = owner;
    this.#startedAt = store.clock.now();
  }

  /** Writes the count with a batch. */
  async save(tx: Tx, state: ImportState, { received, stored }: ImportCount): Promise<void> {
    const { tenantId, organizationId, createdBy } = this.#owner;
    await tx.query(
      `insert into broadcast_imports
         (id, tenant_id, organization_id, created_by, state, received, stored, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (id) do update set state = excluded.state, received = excluded.received, stored = excluded.stored,
         updated_at = excluded.updated_at`,
      [
        this.#id,
        tenantId,
        organizationId,
        createdBy,
        state,
        received,
        stored,
        this.#startedAt,
        this.#store.clock.now(),
      ],
    );
    this.#isKept = true;
  }

  /** An import of a single batch leaves no row: its answer has told the caller everything. */
  async end(state: ImportState, count: ImportCount): Promise<void> {
    if (this.#isKept) await this.#store.transaction("import-end", (tx) => this.save(tx, state, count));
  }
}

interface ImportRow extends ImportCount {
  readonly id: string;
  readonly state: ImportState;
  readonly createdBy: string;
  readonly startedAt: number;
  readonly updatedAt: number;
}

/** Newest first. */
export async function listImports(
  store: Store,
  scope: Scope,
  paging: { page: number; limit: number },
): Promise<PageOf<Omit<ImportRow, "startedAt" | "updatedAt"> & { startedAt: string; updatedAt: string }>> {
  const conditions = new Conditions().within(scope, "i");
  const list = {
    columns: `i.id, i.state, i.received, i.stored, i.created_by as "createdBy", i.created_at as "startedAt",
      i.updated_at as "updatedAt"`,
    from: "from broadcast_imports i",
    order: "i.created_at desc, i.id",
  };
  return pageOfRows(store, list, conditions, paging, (row: ImportRow) => ({
    ...row,
    startedAt: iso(row.startedAt),
    updatedAt: iso(row.updatedAt),
  }));
}

/** Deletes imports after the same time as bulk jobs. */
export async function forgetImports(store: Store, keepMs: number): Promise<void> {
  await store.transaction("imports-forget", (tx) =>
    tx.query("delete from broadcast_imports where updated_at < $1", [store.clock.now() - keepMs]),
  );
}
