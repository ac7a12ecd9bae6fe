import { SilentFor } from "../housekeeping/silent-for.ts";
import { TakeBack, type TakeBackPorts } from "../housekeeping/take-back.ts";
import type { RunningRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";

interface OwnClaimsPorts extends TakeBackPorts {
  readonly definitions: ReadonlyMap<string, QueueDefinition>;
  /** Whether this process works on a claim. */
  readonly holds: (row: RunningRow) => boolean;
}

/**
 * Takes back claims of this worker that this process does not know: each was committed after its connection broke, when
 * its answer was no longer awaited. Only this process can detect them, since for all others the worker is alive.
 */
export class OwnClaims {
  readonly #ports: OwnClaimsPorts;
  readonly #takeBack: TakeBack;
  readonly #unknown: SilentFor;

  constructor(ports: OwnClaimsPorts) {
    this.#ports = ports;
    this.#takeBack = new TakeBack(ports);
    this.#unknown = new SilentFor(ports.store.clock);
  }

  async check(worker: string, every: number): Promise<void> {
    const { store, definitions, holds } = this.#ports;
    const unknown = (await store.read.runningOf({ worker })).filter((row) => !holds(row));
    this.#unknown.observe(new Map(unknown.map((row) => [nameOf(row), 0])), every);
    for (const row of unknown) {
      const queue = definitions.get(row.queue);
      if (queue && this.#unknown.of(nameOf(row)) >= queue.rules.lease)
        await this.#takeBack.takeBack(queue, row);
    }
  }
}

function nameOf({ pos, fence }: RunningRow): string {
  return `${pos} ${fence}`;
}
