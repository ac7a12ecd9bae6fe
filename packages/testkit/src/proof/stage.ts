import type { JobCounts, QueueRulesInput } from "@andon/contract";
import type { Queue, WorkerHandle } from "@andon/engine";
import { type Errand, errandHandlers } from "../processes/errand.ts";
import type { SeededRandom } from "../processes/seeded.ts";
import type { Member, Site } from "../processes/site.ts";

const SHORT_RULES = {
  lease: 1_000,
  sweep: 300,
  attempts: 2,
  backoff: { type: "fixed", delay: 40 },
  maxStalled: 100,
  onFinalFailure: "stop-queue",
} as const satisfies QueueRulesInput;

export const OPERATOR = { actor: "operator", reason: "proof" };
const LANES = 3;

/** One queue of a scene, from the process that stays alive. */
export class Stage {
  readonly site: Site;
  readonly name = "line";
  readonly rules: QueueRulesInput;
  readonly queue: Queue<Errand>;
  readonly random: SeededRandom;
  kills = 0;
  readonly #ids = new Map<number, string>();

  constructor(site: Site, rules: QueueRulesInput, random: SeededRandom) {
    this.site = site;
    this.rules = { ...SHORT_RULES, ...rules };
    this.queue = site.andon.queue<Errand>(this.name, this.rules);
    this.random = random;
  }

  lane(n: number): string {
    return `lane-${n % LANES}`;
  }

  id(n: number): string {
    const id = this.#ids.get(n);
    if (!id) throw new Error(`job ${n} was not added here`);
    return id;
  }

  /** Adds jobs from 0 on, over the lanes in turn. */
  async add(errands: readonly Omit<Errand, "n">[], laneOf: (n: number) => string | undefined = this.lane) {
    const payloads = errands.map((errand, n) => ({ n, ...errand }));
    const added = await this.queue.addMany(payloads, ({ n }) => ({ key: laneOf(n) }));
    added.forEach(({ id }, n) => {
      this.#ids.set(n, id);
    });
  }

  remember(n: number, id: string): void {
    this.#ids.set(n, id);
  }

  /** Works in this process. `quick`: every errand ends at once. */
  work(quick: boolean): Promise<WorkerHandle> {
    return this.queue.work(errandHandlers(this.site.ledger, this.name, quick, this.rules), { places: 4 });
  }

  /** Works until this is true, and closes. */
  async workUntil(what: string, isSo: (counts: JobCounts) => boolean, quick = false): Promise<void> {
    const handle = await this.work(quick);
    await this.site.until(what, async () => isSo(await this.site.counts(this.name)));
    await handle.close();
  }

  async crashed(member: Member): Promise<void> {
    await this.site.crash(member);
    this.kills++;
  }

  /** Checks that none of these jobs starts while a worker runs. */
  async standsStill(what: string, isOfThese: (key: string | undefined) => boolean): Promise<string[]> {
    const starts = () =>
      this.site.ledger.read(this.name).filter(({ what, keys }) => what === "start" && isOfThese(keys[0]))
        .length;
    const before = starts();
    const handle = await this.work(true);
    // The worker looks at once, and again after each signal.
    this.site.andon.store.signal({ kind: "work", queue: this.name });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await handle.close();
    return starts() === before ? [] : [`${what}, and yet ${starts() - before} jobs were started`];
  }
}
