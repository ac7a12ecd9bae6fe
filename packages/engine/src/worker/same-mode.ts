import { AndonError } from "@andon/contract";
import type { Store, WorkedQueue, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";

interface SameModePorts {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** Stores the queues for which this worker waits. */
  readonly tell: () => Promise<void>;
}

/**
 * Prevents one worker from running a queue serially while others do not: each process has its own rules, and during a
 * rollout two of them may differ. The worker that starts second waits until the first ones are gone.
 *
 * A worker reads the rows of the others after it has registered. Of two that start at the same moment at least one sees
 * the other; if both do and both wait, the elder goes first. It stores that before it claims, so that the other
 * continues to wait.
 */
export class SameMode {
  readonly #ports: SameModePorts;
  readonly #cleared = new Set<string>();
  readonly #waiting = new Set<string>();

  constructor(ports: SameModePorts) {
    this.#ports = ports;
  }

  mayClaim(queue: string): boolean {
    return this.#cleared.has(queue);
  }

  /** The rules that this worker stores for its queues. */
  rulesOf(queues: readonly QueueDefinition[]): Record<string, WorkedQueue> {
    const told = queues.map(({ name, rules }): [string, WorkedQueue] => [
      name,
      {
        lease: rules.lease,
        keep: { done: rules.keep.done, ended: rules.keep.ended },
        serial: rules.mode === "serial",
        waits: this.#waiting.has(name),
      },
    ]);
    return Object.fromEntries(told);
  }

  /** Whether the rows of the others must be read again before a queue may be worked. */
  isUnsure(queues: readonly QueueDefinition[]): boolean {
    return queues.some(({ name }) => !this.#cleared.has(name));
  }

  /** The worker has a new id: every queue has to be checked again. */
  beginAnew(): void {
    this.#cleared.clear();
  }

  /** This process no longer works the queue; it has to be checked again before it is worked again. */
  forget(queue: string): void {
    this.#cleared.delete(queue);
    this.#waiting.delete(queue);
  }

  /** Returns the queues that may be worked now and could not be before. */
  async look(self: WorkerRow, queues: readonly QueueDefinition[]): Promise<readonly string[]> {
    const unsure = queues.filter(({ name }) => !this.#cleared.has(name));
    if (unsure.length === 0) return [];
    const workers = await this.#ports.store.read.workers();
    const free: string[] = [];
    let isNews = false;
    for (const queue of unsure) {
      const mustWait = this.#mustWait(queue, self, workers);
      if (mustWait !== this.#waiting.has(queue.name)) isNews = true;
      if (mustWait) this.#wait(queue);
      else free.push(queue.name);
    }
    await this.#endWaits(free, isNews);
    for (const name of free) this.#cleared.add(name);
    return free;
  }

  /** If the end of a wait cannot be stored, the wait continues, and the next look tries again. */
  async #endWaits(names: readonly string[], isNews: boolean): Promise<void> {
    const ended = names.filter((name) => this.#waiting.delete(name));
    if (!isNews) return;
    try {
      await this.#ports.tell();
    } catch (error) {
      for (const name of ended) this.#waiting.add(name);
      throw error;
    }
  }

  #wait({ name, rules }: QueueDefinition): void {
    if (this.#waiting.has(name)) return;
    this.#waiting.add(name);
    this.#ports.onError(new AndonError("RULES_DIFFER", { queue: name, mode: rules.mode }));
  }

  #mustWait({ name, rules }: QueueDefinition, self: WorkerRow, workers: readonly WorkerRow[]): boolean {
    const isSerial = rules.mode === "serial";
    return workers.some((other) => {
      const worked = other.rules[name];
      if (other.id === self.id || !worked || worked.serial === isSerial) return false;
      return !(this.#waiting.has(name) && worked.waits && isElder(self, other));
    });
  }
}

function isElder(a: WorkerRow, b: WorkerRow): boolean {
  return a.startedAt < b.startedAt || (a.startedAt === b.startedAt && a.id < b.id);
}
