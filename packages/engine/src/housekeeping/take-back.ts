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

/** Takes jobs back that nobody works on any more. */
export class TakeBack {
  readonly #ports: TakeBackPorts;
  /** Claims whose taking back was refused, and how often. */
  readonly #refusals = new Map<string, number>();

  constructor(ports: TakeBackPorts) {
    this.#ports = ports;
  }

  async takeBack(queue: QueueDefinition, row: RunningRow): Promise<void> {
    try {
      await giveBack(this.#ports.store, queue, row, "lost");
    } catch (error) {
      // Its worker was quicker after all, or another process was.
      if (isAndonError(error, "CLAIM_LOST")) return;
      this.#ports.onError(error);
      if (!this.#ports.store.isUnavailable(error)) await this.#refused(queue, row, error);
    }
  }

  /** What throws at every look, such as a hook of the queue, stops the line, as it does where a worker meets it. */
  async #refused(queue: QueueDefinition, row: RunningRow, error: unknown): Promise<void> {
    const claim = `${row.pos} ${row.fence}`;
    const times = (this.#refusals.get(claim) ?? 0) + 1;
    this.#refusals.set(claim, times);
    if (times < MOST_REFUSALS) return;
    this.#refusals.delete(claim);
    await stopBecauseRefused({ ...this.#ports, queue }, row, error).catch(this.#ports.onError);
  }
}
