import { Conditions, pageOfRows } from "@andon/app";
import { AndonError, iso, isoOrNull } from "@andon/contract";
import { newId, type StoreTx } from "@andon/engine";
import { FileflowError } from "../contract/errors.ts";
import type { DlqSource, RedriveState } from "../contract/states.ts";
import { EXECUTION_QUEUE, type Scope } from "../fileflow-context.ts";
import { addTimes } from "../id-times.ts";
import { type RedrivePorts, redriveOne } from "./redrive.ts";

const PLAN_MS = 15 * 60_000;
const MOST = 100_000;
const SAMPLE = 20;
const DEFAULT_RATE = 10;

export interface RedriveWish {
  readonly ids?: readonly string[] | undefined;
  readonly filter?:
    | {
        readonly error?: string | undefined;
        readonly source?: DlqSource | undefined;
        readonly from?: string | undefined;
        readonly to?: string | undefined;
      }
    | undefined;
  readonly limit?: number | undefined;
}

interface RedriveRow {
  readonly id: string;
  readonly state: RedriveState | "PLANNED";
  readonly tenantId: string | null;
  readonly organizationId: string | null;
  readonly total: number;
  readonly place: number;
  readonly redriven: number;
  readonly deadAgain: number;
  readonly leftOut: number;
  readonly rate: number;
  readonly actor: string;
  readonly reason: string | null;
  readonly expiresAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
}

/** All columns but the frozen list, which may be megabytes. */
const COLUMNS = `r.id, r.state, r.tenant_id as "tenantId", r.organization_id as "organizationId", r.total, r.place, r.redriven,
  r.dead_again as "deadAgain", r.left_out as "leftOut", r.rate, r.actor, r.reason, r.expires_at as "expiresAt",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;

/** Another process has sent the letter at this place, or the redrive was cancelled. Rolls this attempt back. */
class PlaceTaken extends Error {}

/**
 * Redrives of many dead letters: a frozen list that is sent at a rate. The place in the list is stored, so a redrive
 * continues after a crash.
 */
export class ManyRedrives {
  readonly #ports: RedrivePorts;
  /** The list of the redrive whose step this process ran last; it never changes. */
  #frozen: { readonly redrive: string; readonly ids: readonly string[] } | undefined;

  constructor(ports: RedrivePorts) {
    this.#ports = ports;
  }

  get #store() {
    return this.#ports.context.andon.store;
  }

  /** Freezes the list of letters to send. */
  async plan(scope: Scope, wish: RedriveWish, actor: string) {
    const conditions = new Conditions().addText("d.state in ('DEAD', 'QUARANTINED')").within(scope, "d");
    if (wish.ids) conditions.addText(`d.id in (${wish.ids.map((id) => conditions.param(id)).join(", ")})`);
    const { error, source, from, to } = wish.filter ?? {};
    if (error !== undefined) conditions.add("d.error = ?", error);
    if (source !== undefined) conditions.add("d.source = ?", source);
    addTimes(conditions, "d.received_at", { from, to });
    const rows = await this.#store.scan<{
      id: string;
      state: string;
      error: string;
      redriveCount: number;
      receivedAt: number;
    }>(
      `select d.id, d.state, d.error, d.redrive_count as "redriveCount", d.received_at as "receivedAt" from fileflow_dlq d
       ${conditions.where} order by d.id limit ${MOST}`,
      conditions.params,
    );
    const dead = rows.filter(({ state }) => state === "DEAD").slice(0, wish.limit ?? MOST);
    if (dead.length === 0) throw new FileflowError("DLQ_NOTHING_TO_REDRIVE");
    const now = this.#store.clock.now();
    const id = newId(now);
    await this.#store.transaction("redrive-plan", (tx) =>
      tx.query(
        `insert into fileflow_redrives (id, state, tenant_id, organization_id, ids, total, rate, actor, created_at, expires_at)
         values ($1, 'PLANNED', $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          id,
          scope.tenantId,
          scope.organizationId,
          JSON.stringify(dead.map((letter) => letter.id)),
          dead.length,
          DEFAULT_RATE,
          actor,
          now,
          now + PLAN_MS,
        ],
      ),
    );
    const byError: Record<string, number> = {};
    for (const { error: code } of dead) byError[code] = (byError[code] ?? 0) + 1;
    return {
      planId: id,
      total: dead.length,
      leftOut: rows.filter(({ state }) => state === "QUARANTINED").length,
      byError,
      sample: dead.slice(0, SAMPLE).map((letter) => ({
        id: letter.id,
        error: letter.error,
        redriveCount: Number(letter.redriveCount),
        receivedAt: iso(Number(letter.receivedAt)),
      })),
      expiresAt: iso(now + PLAN_MS),
    };
  }

  /** Starts a planned redrive. `runRedrives` carries it out. */
  async start(scope: Scope, planId: string, who: { actor: string; reason: string | null }, rate: number) {
    const row = await this.#find(scope, planId, "PLAN_NOT_FOUND");
    const now = this.#store.clock.now();
    if (row.state === "PLANNED" && Number(row.expiresAt) < now)
      throw new AndonError("PLAN_USED", { state: "EXPIRED" });
    const [started] = await this.#store.transaction("redrive-start", (tx) =>
      tx.query(
        `update fileflow_redrives set state = 'RUNNING', rate = $2, actor = $3, reason = $4, started_at = $5
         where id = $1 and state = 'PLANNED' returning id`,
        [planId, rate, who.actor, who.reason, now],
      ),
    );
    if (!started) throw new AndonError("PLAN_USED", { state: "APPLIED" });
    this.#store.signal({ kind: "work", queue: EXECUTION_QUEUE });
    return this.show(scope, planId);
  }

  async show(scope: Scope, id: string) {
    const row = await this.#find(scope, id, "REDRIVE_NOT_FOUND");
    if (row.state === "PLANNED") throw new FileflowError("REDRIVE_NOT_FOUND");
    return shown(row);
  }

  async list(scope: Scope, paging: { page: number; limit: number }) {
    const conditions = new Conditions().addText("r.state <> 'PLANNED'").within(scope, "r");
    const redrives = { columns: COLUMNS, from: "from fileflow_redrives r", order: "r.id desc" };
    return pageOfRows(this.#store, redrives, conditions, paging, shown);
  }

  async cancel(scope: Scope, id: string, { actor, reason }: { actor: string; reason: string | null }) {
    await this.show(scope, id);
    await this.#store.transaction("redrive-cancel", async (tx) => {
      const [cancelled] = await tx.query<Pick<RedriveRow, "tenantId" | "organizationId" | "place">>(
        `update fileflow_redrives set state = 'CANCELLED', finished_at = $2 where id = $1 and state = 'RUNNING'
         returning tenant_id as "tenantId", organization_id as "organizationId", place`,
        [id, tx.now()],
      );
      if (!cancelled) return;
      await tx.addAudit({
        actor,
        action: "dlq.redrive.cancel",
        reason,
        target: `redrive:${id}`,
        tenant: cancelled.tenantId,
        organization: cancelled.organizationId,
        before: { state: "RUNNING" },
        after: { state: "CANCELLED", done: Number(cancelled.place) },
      });
    });
    return this.show(scope, id);
  }

  /**
   * Sends the next letter of a running redrive. Returns the wait in milliseconds before the next step; undefined if no
   * redrive runs.
   */
  async step(): Promise<number | undefined> {
    const [row] = await this.#store.query<RedriveRow>(
      `select ${COLUMNS} from fileflow_redrives r where r.state = 'RUNNING' order by r.id limit 1`,
    );
    if (!row) return undefined;
    const ids = await this.#idsOf(row.id);
    const place = Number(row.place);
    const id = ids[place];
    if (id === undefined) {
      await this.#finish(row.id);
      return 0;
    }
    try {
      await this.#send(row, id, place);
    } catch (error) {
      if (error instanceof PlaceTaken) return 0;
      throw error;
    }
    if (place + 1 >= ids.length) await this.#finish(row.id);
    return 1_000 / Number(row.rate);
  }

  async #idsOf(redrive: string): Promise<readonly string[]> {
    if (this.#frozen?.redrive !== redrive) {
      const [list] = await this.#store.scan<{ ids: string }>(
        "select ids from fileflow_redrives where id = $1",
        [redrive],
      );
      this.#frozen = { redrive, ids: JSON.parse(list?.ids ?? "[]") as string[] };
    }
    return this.#frozen.ids;
  }

  /**
   * Changes the letter and the place of the redrive in one transaction, so that a crash neither skips a letter nor counts one
   * twice.
   */
  async #send(row: RedriveRow, id: string, place: number): Promise<void> {
    const { tenantId, organizationId, actor, reason } = row;
    const count = async (tx: StoreTx, column: "redriven" | "dead_again" | "left_out") => {
      const [taken] = await tx.query(
        `update fileflow_redrives set place = place + 1, ${column} = ${column} + 1
         where id = $1 and place = $2 and state = 'RUNNING' returning id`,
        [row.id, place],
      );
      if (!taken) throw new PlaceTaken();
    };
    try {
      await redriveOne(this.#ports, { tenantId, organizationId }, id, { actor, reason }, (tx, { error }) =>
        count(tx, error === null ? "redriven" : "dead_again"),
      );
    } catch (error) {
      if (!(error instanceof FileflowError)) throw error;
      await this.#store.transaction("redrive-leave-out", (tx) => count(tx, "left_out"));
    }
  }

  async #finish(id: string): Promise<void> {
    await this.#store.transaction("redrive-finish", (tx) =>
      tx.query(
        "update fileflow_redrives set state = 'DONE', finished_at = $2 where id = $1 and state = 'RUNNING'",
        [id, tx.now()],
      ),
    );
  }

  async #find(scope: Scope, id: string, code: "PLAN_NOT_FOUND" | "REDRIVE_NOT_FOUND"): Promise<RedriveRow> {
    const conditions = new Conditions().add("r.id = ?", id).within(scope, "r");
    const [row] = await this.#store.query<RedriveRow>(
      `select ${COLUMNS} from fileflow_redrives r ${conditions.where}`,
      conditions.params,
    );
    if (row) return row;
    throw code === "PLAN_NOT_FOUND" ? new AndonError(code, { plan: id }) : new FileflowError(code);
  }
}

function shown(row: RedriveRow) {
  const startedAt = Number(row.startedAt ?? 0);
  return {
    redriveId: row.id,
    state: row.state === "PLANNED" ? ("RUNNING" as const) : row.state,
    total: Number(row.total),
    done: Number(row.redriven) + Number(row.deadAgain) + Number(row.leftOut),
    redriven: Number(row.redriven),
    deadAgain: Number(row.deadAgain),
    leftOut: Number(row.leftOut),
    ratePerSecond: Number(row.rate),
    startedBy: row.actor,
    startedAt: iso(startedAt),
    finishedAt: isoOrNull(row.finishedAt === null ? null : Number(row.finishedAt)),
  };
}
