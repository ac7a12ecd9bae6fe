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
import { runTimes } from "./run-times.ts";

const MOST_SHOWN = 1_000;

const previewSpec = z.strictObject({ cron: z.string(), timeZone: z.string() });
const previewOptions = z.strictObject({ count: z.number().int().min(1).max(MOST_SHOWN) });

/** Schedules: jobs that are added by the clock. Any process that works a queue fires all of them. */
export class Schedules {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Creates the schedule of this name, or makes it what is given; a program may put its schedules at every start. */
  async put(spec: ScheduleSpec, decision?: Decision): Promise<PutSchedule> {
    return putSchedule(this.#store, spec, decisionOf(decision));
  }

  /** In the order of their names. */
  async list(page?: PageOptions): Promise<Page<Schedule>> {
    const { page: number, limit } = pageOf(page);
    return this.#store.read.schedules(number, limit);
  }

  async get(name: string): Promise<Schedule | undefined> {
    return this.#store.read.schedule(lookedUp("name", name));
  }

  async activate(name: string, decision?: Decision): Promise<{ changed: boolean }> {
    return activateSchedule(this.#store, lookedUp("name", name), true, decisionOf(decision));
  }

  async deactivate(name: string, decision?: Decision): Promise<{ changed: boolean }> {
    return activateSchedule(this.#store, lookedUp("name", name), false, decisionOf(decision));
  }

  async remove(name: string, decision?: Decision): Promise<void> {
    return removeSchedule(this.#store, lookedUp("name", name), decisionOf(decision));
  }

  /** The next due times of a schedule, or of one that is not stored. */
  async preview(of: string | { cron: string; timeZone: string }, count = 5): Promise<number[]> {
    const most = checkedOptions("the preview", previewOptions, { count }).count;
    const now = this.#store.clock.now();
    if (typeof of !== "string") {
      const { cron, timeZone } = checkedOptions("the preview", previewSpec, of);
      return upcoming(cron, timeZone, now, most);
    }
    const schedule = await this.get(of);
    if (!schedule) throw new AndonError("SCHEDULE_NOT_FOUND", { schedule: of });
    return upcoming(schedule.cron, schedule.timeZone, Math.max(now, schedule.lastDueAt ?? 0), most);
  }
}

function upcoming(cron: string, timeZone: string, from: number, most: number): number[] {
  const times = runTimes(cron, timeZone);
  const found: number[] = [];
  for (let at = times.after(from); at !== undefined && found.length < most; at = times.after(at))
    found.push(at);
  return found;
}

function decisionOf(decision: Decision | undefined): Decision {
  return decision === undefined ? { actor: SYSTEM } : checkedDecision(decision);
}
