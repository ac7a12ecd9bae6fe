import { type EarlierQuestion, Snooze } from "@andon/engine";
import { keysBelow, pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import type { OperationRun } from "./operation-run.ts";
import { pathLane } from "./sync-job.ts";

const SHORTEST_MS = 100;
const LONGEST_MS = 2_000;

/**
 * Lanes keep the order of operations that name the same path, but a name can be a file's first and a folder's later: `a` is
 * trashed, a folder `a` is created, and `a/b` is uploaded; or the other way round. The earlier operation must run first: once
 * the later one has created its folder or file, the earlier one can never succeed. So an operation is snoozed, without
 * charging an attempt, while an earlier unfinished one names a path above or below its target.
 *
 * An earlier operation that waits for a person does not count: it could take forever, and in serial mode nothing else would run.
 */
export async function waitForEarlierPaths(
  { job, fence }: OperationRun,
  earlier: EarlierOperations,
): Promise<void> {
  const { targetPath } = job.payload;
  if (targetPath === null || !(await earlier.exists(job.id, job.tenant, targetPath))) return;
  throw new Snooze(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** (fence - 1)));
}

interface Asked {
  readonly question: EarlierQuestion;
  resolve(exists: boolean): void;
  reject(error: unknown): void;
}

/** As many as the store puts into one statement. */
const MOST_AT_ONCE = 16;

/**
 * Whether an earlier unfinished operation names a path above or below a target. Several operations often start
 * together, so the questions of one turn of the event loop are sent to the store as one statement.
 */
export class EarlierOperations {
  readonly #vault: VaultContext;
  #asked: Asked[] = [];

  constructor(vault: VaultContext) {
    this.#vault = vault;
  }

  exists(jobId: string, tenant: string, target: string): Promise<boolean> {
    const { settings } = this.#vault;
    const { from, to } = keysBelow(target, settings);
    const keys = ancestorsOf(target).map((path) => pathLane(pathKey(path, settings)));
    const question = { jobId, tenant, keys, range: { from: pathLane(from), to: pathLane(to) } };
    return new Promise((resolve, reject) => {
      if (this.#asked.length === 0) setImmediate(() => this.#askAll());
      this.#asked.push({ question, resolve, reject });
    });
  }

  #askAll(): void {
    const asked = this.#asked;
    this.#asked = [];
    for (let at = 0; at < asked.length; at += MOST_AT_ONCE)
      void this.#ask(asked.slice(at, at + MOST_AT_ONCE));
  }

  async #ask(asked: readonly Asked[]): Promise<void> {
    const { reading } = this.#vault.andon;
    try {
      const questions = asked.map(({ question }) => question);
      const found = await reading.withEarlier(SYNC_QUEUE, questions);
      for (const { question, resolve } of asked) resolve(found.has(question.jobId));
    } catch (error) {
      // The error may concern only one of them, so each is asked again separately.
      if (asked.length === 1) asked[0]?.reject(error);
      else for (const one of asked) void this.#ask([one]);
    }
  }
}

function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
