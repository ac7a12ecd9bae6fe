import { EXECUTION_QUEUE, type FileflowContext } from "../fileflow-context.ts";

/** How long one count of the pending executions is used by all receivers. */
const COUNTED_FOR_MS = 100;

/** How many more events may be received. Messages received since the last count or not committed yet take room too. */
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
      // Concurrent callers share one count.
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
