import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DemoNas, demoRules, sampleFiles } from "@andon/app";
import { AndonError, DEMO_QUEUE, type Decision } from "@andon/contract";
import type { Andon, Queue, WorkerHandle } from "@andon/engine";
import type { Alerts } from "../alerts/alerts.ts";
import type { WorkableQueue } from "../site-queues.ts";
import { copyHandler, type DemoPayload, describeCopy, nasRehearsal } from "./copy-file.ts";

const FIRST_WAIT_MS = 1_000;
/** The pause before each of a file's ten parts: progress is visible, and the whole demo takes half a minute. */
const PAUSE_MS = 150;

interface DemoPorts {
  readonly andon: Andon;
  readonly alerts: Alerts;
  /** The queues of this process. The demo's queue is one of them while it exists. */
  readonly queues: Map<string, WorkableQueue>;
  readonly data: string;
  readonly pauseMs: number | undefined;
}

export interface DemoState {
  readonly state: "none" | "here" | "elsewhere";
  readonly queue: string;
  readonly isNasAway: boolean;
}

/**
 * The guided demo of the console, on the store of this server: its own queue copies files to a folder, the folder is moved away
 * midway, and the queue stops as any other queue would. It belongs to the process that started it, and continues after a restart.
 */
export class Demo {
  readonly #ports: DemoPorts;
  readonly #folder: string;
  readonly #nas: DemoNas;
  #queue: Queue<DemoPayload> | undefined;
  #worker: WorkerHandle | undefined;
  /** Changes run one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(ports: DemoPorts) {
    this.#ports = ports;
    this.#folder = resolve(ports.data, "demo");
    this.#nas = new DemoNas(join(this.#folder, "nas"));
  }

  async state(): Promise<DemoState> {
    const isThere = this.#worker !== undefined || (await this.#isInStore());
    const state = this.#worker ? "here" : isThere ? "elsewhere" : "none";
    return { state, queue: DEMO_QUEUE, isNasAway: await this.#nas.isAway() };
  }

  /** Continues a demo that existed before a restart. */
  async reopen(): Promise<void> {
    if (existsSync(this.#folder) && (await this.#isInStore())) await this.#open();
  }

  start(decision: Decision): Promise<DemoState> {
    return this.#inTurn(async () => {
      if (this.#worker || (await this.#isInStore())) throw new AndonError("DEMO_EXISTS");
      await rm(this.#folder, { recursive: true, force: true });
      await mkdir(this.#nas.folder, { recursive: true });
      await this.#audit("demo.start", decision);
      const { first, later } = sampleFiles();
      for (const { name, bytes } of [...first, ...later]) await writeFile(join(this.#folder, name), bytes);
      const queue = await this.#open();
      const payloads = [...first, ...later].map(({ name }, index) => ({
        name,
        nasGoesAway: index === first.length - 1,
      }));
      await queue.addMany(payloads, ({ name }) => ({ name: "COPY_FILE", key: name }));
      return this.state();
    });
  }

  /** Brings the folder back. The queue stays stopped until a person resumes it. */
  plug(decision: Decision): Promise<DemoState> {
    return this.#inTurn(async () => {
      this.#refuseWhereNone();
      if (await this.#nas.isAway()) {
        await this.#audit("demo.plug-nas", decision);
        await this.#nas.bringBack();
      }
      return this.state();
    });
  }

  remove(decision: Decision): Promise<DemoState> {
    return this.#inTurn(async () => {
      this.#refuseWhereNone();
      const queue = this.#queue as Queue<DemoPayload>;
      await this.#worker?.close();
      this.#worker = undefined;
      // The resume resolves its alert, and nothing runs without a worker. The stop follows because only a stopped queue can be deleted.
      await queue.resume(decision);
      await queue.stop(decision);
      this.#ports.queues.delete(DEMO_QUEUE);
      await this.#ports.andon.deleteQueue(DEMO_QUEUE, decision);
      await rm(this.#folder, { recursive: true, force: true });
      return this.state();
    });
  }

  #refuseWhereNone(): void {
    if (!this.#worker) throw new AndonError("DEMO_NOT_HERE");
  }

  async #isInStore(): Promise<boolean> {
    return (await this.#ports.andon.store.read.queue(DEMO_QUEUE)) !== undefined;
  }

  async #open(): Promise<Queue<DemoPayload>> {
    const { andon, alerts, queues, pauseMs = PAUSE_MS } = this.#ports;
    const rules = demoRules(FIRST_WAIT_MS);
    const rehearse = nasRehearsal(this.#nas);
    this.#queue ??= andon.queue<DemoPayload>(DEMO_QUEUE, rules, {
      hooks: alerts.hooksFor(DEMO_QUEUE, undefined, describeCopy),
      rehearse,
    });
    queues.set(DEMO_QUEUE, {
      queue: this.#queue as Queue<unknown>,
      mode: "serial",
      isSystem: false,
      takesJobs: false,
      describe: describeCopy,
      runbooks: { NAS_AWAY: "nas-away" },
      handler: undefined,
      work: undefined,
    });
    this.#worker = await this.#queue.work(copyHandler(this.#folder, this.#nas, pauseMs));
    return this.#queue;
  }

  #audit(action: string, { actor, reason }: Decision): Promise<void> {
    return this.#ports.andon.store.transaction("demo", (tx) =>
      tx.addAudit({
        actor,
        action,
        reason: reason ?? null,
        target: `queue:${DEMO_QUEUE}`,
        before: null,
        after: null,
      }),
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
