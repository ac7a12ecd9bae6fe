import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AndonError, parseQueueRules } from "@andon/contract";
import type { OperationRow, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { Driver } from "./driver.ts";

/** What a decision over many jobs returns at once, while it is carried out. */
export interface Started<Result> {
  /** The operation's id; null if the jobs were few and all is done. */
  readonly id: string | null;
  /** The number of jobs. */
  readonly total: number;
  /** Resolves when all is done. The operation continues even if nobody awaits it. */
  readonly finished: Promise<Result>;
}

/** A driver whose beat has not changed for this long is dead. A step takes a tenth of a second. */
const STILL_MS = 5_000;
/** How often a waiting process reads an operation that another process drives. */
const FOLLOW_EVERY_MS = 250;

interface Seen {
  readonly beat: number;
  readonly since: number;
}

interface How {
  /** Another process began the operation. */
  readonly isTaken: boolean;
  readonly onFrozen?: (operation: OperationRow) => void;
}

/**
 * The operations that this process carries out: those it started, and those whose driver died. A driver is dead when
 * its beat stops changing, by this process's own clock. Two drivers at once are harmless: each step is taken by one.
 */
export class Operations {
  readonly #store: Store;
  readonly #definitions: ReadonlyMap<string, QueueDefinition>;
  readonly #onError: (error: unknown) => void;
  readonly #driven = new Map<string, Promise<OperationRow>>();
  #seen = new Map<string, Seen>();
  #isClosed = false;
  /** Names this process as the driver of an operation in the store. */
  readonly name = randomUUID();

  constructor(options: {
    store: Store;
    definitions: ReadonlyMap<string, QueueDefinition>;
    onError: (error: unknown) => void;
  }) {
    this.#store = options.store;
    this.#definitions = options.definitions;
    this.#onError = options.onError;
  }

  /** Carries out an operation that this process has taken. When this resolves, its list is complete. */
  async start<Result>(
    operation: OperationRow,
    resultOf: (operation: OperationRow) => Result,
  ): Promise<Started<Result>> {
    let onFrozen: (operation: OperationRow) => void = () => {};
    const frozen = new Promise<OperationRow>((resolve) => {
      onFrozen = resolve;
    });
    const driven = this.#drive(operation, { isTaken: false, onFrozen });
    const finished = driven.then(resultOf);
    // A caller that does not await it reads the operation by its id, and finds there why it failed.
    finished.catch(() => {});
    const { id, total } = await Promise.race([frozen, driven]);
    return { id, total, finished };
  }

  /** Takes over abandoned operations of queues that this process defines, and deletions of queues that no process defines. */
  async look(): Promise<void> {
    if (this.#isClosed || this.#definitions.size === 0) return;
    const open = (await this.#store.read.openOperations()).filter(
      ({ id, queue, details }) =>
        (this.#definitions.has(queue) || details.isDefined === false) && !this.#driven.has(id),
    );
    const seen = new Map<string, Seen>();
    for (const operation of open) {
      const before = this.#seen.get(operation.id);
      const now = this.#store.clock.monotonic();
      const known = before?.beat === operation.beat ? before : { beat: operation.beat, since: now };
      seen.set(operation.id, known);
      if (operation.driver !== null && now - known.since < STILL_MS) continue;
      const taken = await this.#take(operation);
      if (taken)
        this.#drive(taken, { isTaken: true }).catch((error) => this.#isClosed || this.#onError(error));
    }
    this.#seen = seen;
  }

  /** Finishes the current steps and frees the operations, so that another process continues them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const driven = [...this.#driven.keys()];
    await Promise.allSettled(this.#driven.values());
    for (const id of driven)
      await this.#store
        .transaction("operation", (tx) => tx.leaveOperation(id, this.name))
        .catch(this.#onError);
  }

  async #take(operation: OperationRow): Promise<OperationRow | undefined> {
    const { id, beat } = operation;
    const isTaken = await this.#store.transaction("operation", (tx) => tx.takeOperation(id, beat, this.name));
    return isTaken ? { ...operation, driver: this.name } : undefined;
  }

  #drive(operation: OperationRow, how: How): Promise<OperationRow> {
    const driven = this.#driveToItsEnd(operation, how);
    this.#driven.set(operation.id, driven);
    const forget = () => this.#driven.delete(operation.id);
    driven.then(forget, forget);
    return driven;
  }

  async #driveToItsEnd(
    operation: OperationRow,
    { isTaken, onFrozen = () => {} }: How,
  ): Promise<OperationRow> {
    const { queue: name } = operation;
    const queue = this.#definitions.get(name) ?? { name, rules: parseQueueRules(name, undefined), hooks: {} };
    const watch = { isClosed: () => this.#isClosed, onFrozen };
    const driver = new Driver(this.#store, queue, watch, { isTaken });
    const ended = (await driver.run(operation)) ?? (await this.#follow(operation.id));
    if (ended.state === "failed")
      throw driver.error ?? new AndonError("OPERATION_FAILED", { problem: ended.result.problem });
    if (ended.state === "cancelled") {
      const { id, done, total } = ended;
      throw new AndonError("OPERATION_CANCELLED", { operation: id, done, total });
    }
    return ended;
  }

  /** Another process has taken the operation: waits for its end, and takes it back if that process dies. */
  async #follow(id: string): Promise<OperationRow> {
    let seen: Seen | undefined;
    for (;;) {
      if (this.#isClosed) throw new AndonError("CLOSED");
      const operation = await this.#store.read.operation(id);
      if (!operation) throw new AndonError("OPERATION_NOT_FOUND", { operation: id });
      if (operation.finishedAt !== null) return operation;
      const now = this.#store.clock.monotonic();
      if (seen?.beat !== operation.beat) seen = { beat: operation.beat, since: now };
      if (now - seen.since >= STILL_MS) {
        const taken = await this.#take(operation);
        if (taken) return this.#driveToItsEnd(taken, { isTaken: true });
      }
      await sleep(FOLLOW_EVERY_MS);
    }
  }
}
