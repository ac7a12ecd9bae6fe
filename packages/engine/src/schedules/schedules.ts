import {
  AndonError,
  checkedOptions,
  type Decision,
  type Page,
  type Schedule,
  type ScheduleSpec,
} from "@andon/contract";
import * as z from "zod";
import { lookedUp } from "../library/checked-argument.ts";
import { checkedDecision } from "../library/decision.ts";
import { type PageOptions, pageOf } from "../library/paging.ts";
import type { Store } from "../ports/store.ts";
import { SYSTEM } from "../system-actor.ts";
import { activateSchedule } from "./activate.ts";
import type { InTransaction } from "./in-transaction.ts";
import { type PutSchedule, putSchedule } from "./put.ts";
import { removeSchedule } from "./remove.ts";
import { runScheduleNow } from "./run-now.ts";
import { runTimes } from "./run-times.ts";

const MOST_SHOWN = 1_000;

const previewSpec = z.strictObject({
  cron: z.string(),
  timeZone: z.string(),
  lastDueAt: z.number().int().nullish(),
});
const previewOptions = z.strictObject({ count: z.number().int().min(1).max(MOST_SHOWN) });

/** The expression and the zone to preview, in place of the name of a stored schedule. */
export type PreviewSpec = z.input<typeof previewSpec>;

/** Schedules: jobs that are added by the clock. Any process that works a queue fires all of them. */
export class Schedules {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Creates the schedule of this name, or replaces it. A program may call this at every start. With `tx` it is stored with the caller's own
   * rows, or not at all.
   */
  async put(spec: ScheduleSpec, decision?: Decision, options: InTransaction = {}): Promise<PutSchedule> {
    return putSchedule(this.#store, spec, decisionOf(decision), options);
  }

  /** All schedules, by name. */
  async list(page?: PageOptions): Promise<Page<Schedule>> {
    const { page: number, limit } = pageOf(page);
    return this.#store.read.schedules(number, limit);
  }

  /** A schedule by its name; undefined where there is none. */
  async get(name: string): Promise<Schedule | undefined> {
    return this.#store.read.schedule(lookedUp("name", name));
  }

  /** Lets a schedule fire again. */
  async activate(name: string, decision?: Decision): Promise<{ changed: boolean }> {
    return activateSchedule(this.#store, lookedUp("name", name), true, decisionOf(decision));
  }

  /** Keeps a schedule from firing until it is activated. */
  async deactivate(name: string, decision?: Decision): Promise<{ changed: boolean }> {
    return activateSchedule(this.#store, lookedUp("name", name), false, decisionOf(decision));
  }

  /** Adds the schedule's job now, in addition to its due times; also while it is inactive. */
  async runNow(name: string, decision?: Decision): Promise<{ jobId: string }> {
    return runScheduleNow(this.#store, lookedUp("name", name), decisionOf(decision));
  }

  /** Removes a schedule; jobs that it has added stay. With `tx` in the transaction of the caller's own rows. */
  async remove(name: string, decision?: Decision, options: InTransaction = {}): Promise<void> {
    return removeSchedule(this.#store, lookedUp("name", name), decisionOf(decision), options);
  }

  /** The next due times of a stored schedule or of a given one, after now and after its last due time; at most 1,000. */
  async preview(of: string | PreviewSpec, count = 5): Promise<number[]> {
    const most = checkedOptions("the preview", previewOptions, { count }).count;
    const { cron, timeZone, lastDueAt } =
      typeof of === "string" ? await this.#named(of) : checkedOptions("the preview", previewSpec, of);
    return upcoming(cron, timeZone, Math.max(this.#store.clock.now(), lastDueAt ?? 0), most);
  }

  async #named(name: string): Promise<Schedule> {
    const schedule = await this.get(name);
    if (!schedule) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: name });
    return schedule;
  }
}

function upcoming(cron: string, timeZone: string, from: number, most: number): number[] {
  const times = runTimes(cron, timeZone);
  const found: number[] = [];
  while (found.length < most) {
    const next = times.after(found.at(-1) ?? from);
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

function decisionOf(decision: Decision | undefined): Decision {
  return decision === undefined ? { actor: SYSTEM } : checkedDecision(decision);
}
