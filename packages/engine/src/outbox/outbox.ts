import { AndonError, checkedOptions, type Job } from "@andon/contract";
import * as z from "zod";
import type { JobOptions } from "../library/job-options.ts";
import type { Added, Queue } from "../library/queue.ts";
import type { WorkerHandle, WorkOptions } from "../library/work.ts";
import { Snooze } from "../lifecycle/thrown.ts";
import type { Clock } from "../ports/clock.ts";
import type { HandlerContext } from "../worker/handler.ts";
import { OUTBOX_PLACES } from "./rules.ts";

const newMessage = z.strictObject({
  destination: z.string().describe("Where it goes. Messages of one destination are delivered in order."),
  kind: z.string().describe("Which deliverer takes it there."),
  body: z.unknown().describe("What is sent; anything that is JSON."),
});

/** A message to be sent. */
export interface NewMessage {
  /** Where it goes. Messages of one destination are delivered in the order in which they were sent, one at a time. */
  destination: string;
  /** The kind of message, which selects its deliverer. */
  kind: string;
  /** What is sent; anything that is JSON. */
  body: unknown;
}

/** A message as its deliverer gets it. */
export interface Message<Body = unknown> {
  /** The same for all attempts, so that a receiver can detect a second delivery. */
  readonly id: string;
  readonly destination: string;
  readonly kind: string;
  readonly body: Body;
  readonly sentAt: number;
}

/** Delivers one message. If it throws, the attempt has failed. A message may be delivered again after a success. */
export type Deliverer<Body = never> = (message: Message<Body>, context: HandlerContext) => unknown;

export type SendOptions = Pick<JobOptions, "tx" | "idempotencyKey" | "tenant" | "traceId">;

const SOONEST_LOOK_MS = 1_000;
const LATEST_LOOK_MS = 60_000;

/**
 * Messages that are sent if their transaction commits. A message is a job of the built-in queue, in the lane of its
 * destination: order, attempts, history and decisions are those of the queue.
 */
export class Outbox {
  /** The queue of the messages, to inspect them and to decide about them. */
  readonly queue: Queue<unknown>;
  readonly #clock: Clock;
  readonly #deliverers = new Map<string, Deliverer>();

  constructor(clock: Clock, queue: Queue<unknown>) {
    this.#clock = clock;
    this.queue = queue;
  }

  /**
   * Sends a message; with `tx`, if and only if that transaction commits. It is delivered at least once, by any process
   * that works the outbox.
   */
  async send(message: NewMessage, options?: SendOptions): Promise<Added> {
    const { destination, kind, body } = checkedOptions("the message", newMessage, message);
    return this.queue.add(body, { ...options, key: destination, name: kind });
  }

  /** Registers how messages of a kind are delivered in this process. */
  deliver<Body = unknown>(kind: string, deliverer: Deliverer<Body>): void {
    if (this.#deliverers.has(kind)) {
      throw new AndonError("INVALID_OPTION", {
        where: "the outbox",
        option: "kind",
        given: JSON.stringify(kind),
        allowed: "a kind that has no deliverer yet",
      });
    }
    this.#deliverers.set(kind, deliverer as Deliverer);
  }

  /** Delivers messages in this process until the handle, or Andon, is closed. */
  work(options?: WorkOptions): Promise<WorkerHandle> {
    return this.queue.work((job, context) => this.#deliverOne(job, context), {
      places: OUTBOX_PLACES,
      ...options,
    });
  }

  async #deliverOne(job: Job, context: HandlerContext): Promise<void> {
    const deliverer = this.#deliverers.get(job.name);
    if (!deliverer) throw new Snooze(this.#untilSomebodyCan(job));
    const [destination = ""] = job.keys;
    const { id, name: kind, payload, createdAt: sentAt } = job;
    await deliverer({ id, destination, kind, body: payload as never, sentAt }, context);
  }

  /**
   * How long to wait for a process that has the deliverer: as long again as the message has waited, so that its history
   * stays short.
   */
  #untilSomebodyCan(job: Job): number {
    const age = this.#clock.now() - job.createdAt;
    return Math.min(Math.max(age, SOONEST_LOOK_MS), LATEST_LOOK_MS);
  }
}
