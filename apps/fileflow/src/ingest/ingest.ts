import { type Waiting, writeTogether } from "@andon/engine";
import { EXECUTION_QUEUE, type FileflowContext } from "../fileflow-context.ts";
import { type Created, createExecutions, type NewExecution } from "./create-executions.ts";

const MOST_TOGETHER = 320;

/** Creates executions. Requests that arrive at the same time share a transaction. */
export class Ingest {
  readonly #context: FileflowContext;
  #waiting: Waiting<NewExecution, Created>[] = [];
  #running: Promise<void> | undefined;

  constructor(context: FileflowContext) {
    this.#context = context;
  }

  create(execution: NewExecution): Promise<Created> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item: execution, resolve, reject });
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
    });
  }

  async #run(): Promise<void> {
    // More requests may arrive in the current turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const { store } = this.#context.andon;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, MOST_TOGETHER);
      await writeTogether(store, group, (items) => this.createAll(items));
    }
  }

  createAll(items: readonly NewExecution[]): Promise<Created[]> {
    const { andon, pipelines } = this.#context;
    const queue = this.#context.queue(EXECUTION_QUEUE);
    return andon.store.transaction("executions-create", (tx) =>
      createExecutions(tx, queue, pipelines, items),
    );
  }
}
