import { EXECUTION_QUEUE, type FileflowContext } from "../fileflow-context.ts";

/** How long one count of the pending executions serves all receivers. */
const COUNTED_FOR_MS = 100;

/** How many more events may be received. What was received since the last count, or is not committed yet, takes room too. */
export class Room {
  readonly #context: FileflowContext;
  #inHand = 0;
  #left = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | undefined;

  constructor(context: FileflowContext) {
    this.#context = context;
  }

  async isFree(): Promise<boolean> {
    if (performance.now() - this.#countedAt > COUNTED_FOR_MS)
      // Whoever asks meanwhile waits for the same count: the last one is too old, and at the start there is none.
      this.#counting ??= this.#count().finally(() => {
        this.#counting = undefined;
      });
    await this.#counting;
    return this.#left > 0;
  }

  async #count(): Promise<void> {
    const { counts } = await this.#context.queue(EXECUTION_QUEUE).status();
    this.#left = this.#context.settings.maxPending - counts.ready - counts.blocked - this.#inHand;
    this.#countedAt = performance.now();
  }

  received(messages: number): void {
    this.#inHand += messages;
    this.#left -= messages;
  }

  settled(messages: number): void {
    this.#inHand -= messages;
  }
}
