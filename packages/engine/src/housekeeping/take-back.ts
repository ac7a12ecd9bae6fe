import { isAndonError } from "@andon/contract";
import type { Random } from "../ports/random.ts";
import type { RunningRow, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { giveBack } from "../verbs/give-back.ts";
import { MOST_REFUSALS } from "../worker/persist.ts";
import { stopBecauseRefused } from "../worker/settle.ts";

export interface TakeBackPorts {
  readonly store: Store;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
}

/** Takes back the jobs of dead workers. */
export class TakeBack {
  readonly #ports: TakeBackPorts;
  /** How often taking back each claim was refused. */
  readonly #refusals = new Map<string, number>();

  constructor(ports: TakeBackPorts) {
    this.#ports = ports;
  }

  async takeBack(queue: QueueDefinition, row: RunningRow): Promise<void> {
    try {
      await giveBack(this.#ports.store, queue, row, "lost");
    } catch (error) {
      // Its worker has settled it after all, or another process has taken it back.
      if (isAndonError(error, "CLAIM_LOST")) return;
      this.#ports.onError(error);
      if (!this.#ports.store.isUnavailable(error)) await this.#refused(queue, row, error);
    }
  }

  /** An error that repeats at every look, such as one of the queue's hook, stops the queue, as it does in a worker. */
  async #refused(queue: QueueDefinition, row: RunningRow, error: unknown): Promise<void> {
    const claim = `${row.pos} ${row.fence}`;
    const times = (this.#refusals.get(claim) ?? 0) + 1;
    this.#refusals.set(claim, times);
    if (times < MOST_REFUSALS) return;
    this.#refusals.delete(claim);
    await stopBecauseRefused({ ...this.#ports, queue }, row, error).catch(this.#ports.onError);
  }
}
