import type { History } from "@andon/contract";
import type { FleetState, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { settleRamp } from "../verbs/ramp.ts";
import { applyDue } from "./due-decisions.ts";
import { DueLoop } from "./due-loop.ts";
import { Election } from "./election.ts";
import { Promoter } from "./promoter.ts";
import { PurgeDuty } from "./purge-duty.ts";
import { Retention } from "./retention.ts";
import { fireDue } from "./scheduler.ts";
import { Sweeper } from "./sweeper.ts";
import type { TakeBackPorts } from "./take-back.ts";

/** Forgetting workers that died without a claim and deleting old rows is not urgent, least of all in an idle fleet. */
const FORGET_EVERY_MS = 10_000;
const PURGE_EVERY_MS = 60_000;
const SELDOM_MS = 300_000;

interface HousekeeperPorts extends TakeBackPorts {
  /** Every queue that this process defines, now or later: dead workers' jobs are taken back in all of them. */
  readonly definitions: ReadonlyMap<string, QueueDefinition>;
  readonly history: History;
  /** Periodic maintenance that other packages registered, such as that of the server's alerts. */
  readonly duties: ReadonlyMap<string, () => Promise<void>>;
  /** The time between sweeps, in milliseconds. */
  readonly sweepEvery: () => number;
}

/** What the housekeeper needs to know beside the state of the fleet. */
export interface HousekeepingInput {
  readonly role: string;
  readonly worker: string;
  /** The present time between looks, in milliseconds. */
  readonly every: number;
  /** Looks are frequent: there is work, or there was a moment ago. */
  readonly isAlert: boolean;
  /** Every process is alert, so a live holder of the post must have beaten. */
  readonly isNeeded: boolean;
}

/**
 * The work that one process does for the whole database: taking back dead workers' jobs, promoting due jobs, firing
 * schedules, merging counts, deleting old rows. The other processes stand by and observe what a successor needs to
 * know.
 */
export class Housekeeper {
  readonly #ports: HousekeeperPorts;
  readonly #store: Store;
  readonly #election: Election;
  readonly #sweeper: Sweeper;
  readonly #promoter: Promoter;
  readonly #promotions: DueLoop;
  readonly #schedules: DueLoop;
  readonly #decisions: DueLoop;
  readonly #purge: PurgeDuty;
  readonly #retention: Retention;
  /** Duties under way: one that takes longer than the time between two looks is not begun twice. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #doneAt = new Map<string, number>();
  #isClosed = false;

  constructor(ports: HousekeeperPorts) {
    const { store, onError } = ports;
    this.#ports = ports;
    this.#store = store;
    this.#election = new Election(store);
    this.#sweeper = new Sweeper(ports);
    this.#promoter = new Promoter(store, ports.definitions, onError);
    this.#promotions = new DueLoop(store.clock, () => this.#promoter.promoteDue(), onError);
    this.#schedules = new DueLoop(store.clock, () => fireDue(store, onError), onError);
    const applyDecisions = () => applyDue(store, ports.definitions, onError);
    this.#decisions = new DueLoop(store.clock, applyDecisions, onError);
    this.#purge = new PurgeDuty(store, ports.definitions);
    this.#retention = new Retention(store, ports.history);
  }

  async applyLook(
    look: FleetState,
    { role, worker, every, isAlert, isNeeded }: HousekeepingInput,
  ): Promise<void> {
    const { clock } = this.#store;
    const wasHolder = this.#election.isHolder;
    if (this.#isClosed) return;
    await this.#election.vote(role, worker, look.post, { every, isNeeded });
    // Closed during the vote: frees the post for a successor.
    if (this.#isClosed) return this.#election.leave(worker);
    if (wasHolder && !this.#election.isHolder) this.#standBy();
    const sweepEvery = this.#ports.sweepEvery();
    if (!this.#election.isHolder) {
      if (isAlert) this.#begin("observe", sweepEvery, () => this.#sweeper.observe(sweepEvery));
      return;
    }
    if (isAlert) await this.#election.beat(worker);
    if (isAlert)
      this.#begin("sweep", sweepEvery, () =>
        this.#sweeper.sweep(this.#ports.definitions, sweepEvery, worker),
      );
    if (look.hasTallies) this.#begin("compact", 0, () => this.#store.compact());
    if (look.isRamping) this.#begin("ramp", 0, () => this.#settleRamps());
    this.#promotions.lookIn((look.nextTimer ?? Number.POSITIVE_INFINITY) - clock.now());
    this.#schedules.lookIn((look.nextSchedule ?? Number.POSITIVE_INFINITY) - clock.now());
    this.#decisions.lookIn((look.nextDecision ?? Number.POSITIVE_INFINITY) - clock.now());
    const forgetEvery = isAlert || this.#sweeper.hasSuspects ? FORGET_EVERY_MS : SELDOM_MS;
    this.#begin("forget", forgetEvery, () => this.#sweeper.forgetDead(forgetEvery, worker));
    const purgeEvery = isAlert ? PURGE_EVERY_MS : SELDOM_MS;
    this.#begin("purge", purgeEvery, () => this.#purge.run());
    this.#begin("retention", purgeEvery, () => this.#retention.run());
    for (const [name, run] of this.#ports.duties) this.#begin(`duty ${name}`, purgeEvery, run);
  }

  /** New times were set: the holder of the post looks at once. */
  onSignal(kind: "timer" | "schedule"): void {
    if (!this.#election.isHolder) return;
    if (kind === "timer") this.#promotions.look();
    else this.#schedules.look();
    this.#decisions.look();
  }

  /** Waits for duties under way and frees the post. */
  async close(worker: string | undefined): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      this.#promotions.close(),
      this.#schedules.close(),
      this.#decisions.close(),
      ...this.#underWay.values(),
    ]);
    await this.#promoter.close();
    if (!worker || !this.#election.isHolder) return;
    await this.#store.compact();
    await this.#election.leave(worker);
  }

  async #settleRamps(): Promise<void> {
    for (const queue of this.#ports.definitions.values()) await settleRamp(this.#store, queue);
  }

  #standBy(): void {
    this.#promotions.rest();
    this.#schedules.rest();
    this.#decisions.rest();
  }

  #begin(duty: string, every: number, work: () => Promise<void>): void {
    const now = this.#store.clock.monotonic();
    const doneAt = this.#doneAt.get(duty);
    // Looks run a little earlier or later than planned.
    if (this.#underWay.has(duty) || (doneAt !== undefined && now - doneAt < every * 0.9)) return;
    this.#doneAt.set(duty, now);
    const working = work()
      .catch(this.#ports.onError)
      .finally(() => this.#underWay.delete(duty));
    this.#underWay.set(duty, working);
  }
}
