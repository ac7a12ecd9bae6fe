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
import { SYSTEM } from "../verbs/final-failure.ts";
import { activateSchedule } from "./activate.ts";
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

/** What is asked about in place of a name: a schedule, or what might become one. */
export type PreviewSpec = z.input<typeof previewSpec>;

/** Schedules: jobs that are added by the clock. Any process that works a queue fires all of them. */
export class Schedules {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Creates the schedule of this name, or replaces it. A program may call this at every start. */
  async put(spec: ScheduleSpec, decision?: Decision): Promise<PutSchedule> {
    return putSchedule(this.#store, spec, decisionOf(decision));
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

  /** Adds its job now, beside its times: whether it is on or off. */
  async runNow(name: string, decision?: Decision): Promise<{ jobId: string }> {
    return runScheduleNow(this.#store, lookedUp("name", name), decisionOf(decision));
  }

  /** Removes a schedule; jobs that it has added stay. */
  async remove(name: string, decision?: Decision): Promise<void> {
    return removeSchedule(this.#store, lookedUp("name", name), decisionOf(decision));
  }

  /** The next due times of a stored schedule or of a given one: those after now and after its last due time. */
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
