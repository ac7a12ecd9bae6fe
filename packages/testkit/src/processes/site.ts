import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type { JobCounts } from "@andon/contract";
import { Andon } from "@andon/engine";
import { openStore } from "@andon/store";
import { type NodeChild, spawnNode } from "../child.ts";
import { createDatabase, type TestDatabase } from "../databases.ts";
import { type Entry, Ledger } from "./ledger.ts";
import type { Request } from "./member-process.ts";

export const KINDS = ["sqlite", "postgres"] as const;
export type Kind = (typeof KINDS)[number];

/** The long form of these tests, for a nightly run rather than every commit. */
export const isLong = process.env.ANDON_LONG === "1";

const MEMBER = new URL(`./member-process${extname(import.meta.url)}`, import.meta.url);
const PATIENCE_MS = 45_000;
/** A process first reads all of its code, which takes a minute while many others start. */
const START_PATIENCE_MS = 180_000;

/** A process of the fleet. */
export class Member {
  readonly child: NodeChild;

  constructor(child: NodeChild) {
    this.child = child;
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Sends one request at a time: its answer is the next line. */
  async ask<Answer = unknown>(request: Request): Promise<Answer> {
    this.child.send(JSON.stringify(request));
    const line = await this.child.waitForLine(/^(done|failed) /, PATIENCE_MS);
    if (line.startsWith("failed ")) throw new Error(`${line}\n${this.child.stderr}`);
    return JSON.parse(line.slice("done ".length)) as Answer;
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }
}

/** Each look costs a query, and the observed processes need the processor. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;
const LONGEST_LOOK_MS = 600_000;

/** A store of its own, the ledger of what really happened there, and the processes that work on it. */
export class Site {
  readonly kind: Kind;
  readonly url: string;
  readonly ledger: Ledger;
  /** For observation from the test's own process; works no queue. */
  readonly andon: Andon;
  readonly members: Member[] = [];
  readonly #folder: string;
  readonly #database: TestDatabase | undefined;

  private constructor(kind: Kind, url: string, folder: string, andon: Andon, database?: TestDatabase) {
    this.kind = kind;
    this.url = url;
    this.andon = andon;
    this.ledger = new Ledger(join(folder, "ledger.jsonl"));
    this.#folder = folder;
    this.#database = database;
  }

  /** Uses the run's PostgreSQL server unless another is given. */
  static async open(kind: Kind, serverUrl?: string): Promise<Site> {
    const folder = mkdtempSync(join(tmpdir(), "andon-site-"));
    const database = kind === "postgres" ? await createDatabase(serverUrl) : undefined;
    const url = database?.url ?? `sqlite:${join(folder, "andon.db")}`;
    const andon = new Andon(await openStore(url), { onError: () => {} });
    const site = new Site(kind, url, folder, andon, database);
    await site.query("create table andon_test_effects (job_id text, pid integer)");
    return site;
  }

  /** Starts processes and waits until they are ready. `url`: another address of the same store. */
  async spawn(count: number, url = this.url, env: Record<string, string> = {}): Promise<Member[]> {
    const members = Array.from(
      { length: count },
      () => new Member(spawnNode(MEMBER, [url, this.ledger.path], env)),
    );
    this.members.push(...members);
    await Promise.all(members.map((member) => member.child.waitForLine("ready", START_PATIENCE_MS)));
    return members;
  }

  query<Row = Record<string, unknown>>(sql: string, params: unknown[] = []): Promise<Row[]> {
    // Uses the store's transaction, because a caller's has a limit of five seconds: after hours there are millions of
    // rows.
    return this.andon.store.transaction("look", (tx) => tx.query<Row>(sql, params), LONGEST_LOOK_MS);
  }

  counts(queue: string): Promise<JobCounts> {
    return this.andon.store.read.counts(queue);
  }

  /** Kills a process like a crash, and notes when it had ended. */
  async crash(member: Member): Promise<void> {
    await member.child.kill("SIGKILL");
    this.ledger.note({ what: "killed", pid: member.pid });
  }

  async until(what: string, isSo: () => Promise<boolean> | boolean, patience = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + patience;
    for (let pause = FIRST_PAUSE_MS; !(await isSo()); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      if (performance.now() > deadline) {
        const told = this.members.map((member) => member.child.stderr.slice(-2_000)).join("\n");
        throw new Error(`timed out after ${patience} ms waiting until: ${what}\n${told}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** The number of entries of one kind. */
  count(what: Entry["what"], queue?: string): number {
    return this.ledger.read(queue).filter((entry) => entry.what === what).length;
  }

  entry(isIt: (entry: Entry) => boolean, what: string): Promise<void> {
    return this.until(what, () => this.ledger.read().some(isIt));
  }

  /** Waits until this many jobs are done; no job may be in any other state then. */
  async drained(queue: string, done: number, patience?: number): Promise<void> {
    const isDone = async () => (await this.counts(queue)).done >= done;
    await this.until(`${done} jobs of ${queue} done`, isDone, patience).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${JSON.stringify(await this.counts(queue))}`);
    });
    await this.expectOnlyDone(queue, done);
  }

  /** Asserts that the counts and the tables have no waiting, running or failed job. */
  async expectOnlyDone(queue: string, done: number): Promise<void> {
    const { done: counted, ...others } = await this.counts(queue);
    const nothing = Object.fromEntries(Object.keys(others).map((state) => [state, 0]));
    assert.deepEqual({ counted, ...others }, { counted: done, ...nothing });
    const [left] = await this.query(
      `select (select count(*) from andon_ready where queue = $1) as ready,
        (select count(*) from andon_running where queue = $1) as running,
        (select count(*) from andon_timers where queue = $1) as timers,
        (select count(*) from andon_lane_jobs where queue = $1) as places,
        (select count(*) from andon_jobs where queue = $1 and state <> 'done') as others`,
      [queue],
    );
    assert.deepEqual({ ...left }, { ready: 0, running: 0, timers: 0, places: 0, others: 0 });
  }

  /**
   * The number of deadlocks that PostgreSQL counted. Its backends report them when they end, so the fleet is ended
   * first.
   */
  async deadlocks(): Promise<number> {
    await Promise.all(this.members.map((member) => member.child.kill("SIGTERM")));
    const sql = "select deadlocks from pg_stat_database where datname = current_database()";
    const [row] = await this.query<{ deadlocks: number }>(sql);
    return row?.deadlocks ?? -1;
  }

  /** Ends the processes by their ids, and removes the store. */
  async close(): Promise<void> {
    await Promise.all(this.members.map((member) => member.child.kill("SIGKILL")));
    await this.andon.close().catch(() => {});
    this.ledger.close();
    await this.#database?.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
