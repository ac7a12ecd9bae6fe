import { EXECUTION_QUEUE, type FileflowContext } from "../fileflow-context.ts";

/** How long one count of the pending executions serves all receivers. */
const COUNTED_FOR_MS = 100;

/** How many more events may be received. What was received since the last count, or is not committed yet, takes room too. */
export class Room {
  readonly #context: FileflowContext;
  #inHand = 0;
  #left = 0;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(context: FileflowContext) {
    this.#context = context;
  }

  async isFree(): Promise<boolean> {
    if (performance.now() - this.#countedAt > COUNTED_FOR_MS) {
      this.#countedAt = performance.now();
      const { counts } = await this.#context.queue(EXECUTION_QUEUE).status();
      this.#left = this.#context.settings.maxPending - counts.ready - counts.blocked - this.#inHand;
    }
    return this.#left > 0;
  }

  received(messages: number): void {
    this.#inHand += messages;
    this.#left -= messages;
  }

  settled(messages: number): void {
    this.#inHand -= messages;
  }
}
