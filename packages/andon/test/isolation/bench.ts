/** The queue, the tasks and the waits that the tests of isolated handlers share. */
import { type IsolatedErrand as Errand, until } from "@andon/testkit";
import { type Andon, type Job, open, type Queue, type QueueRulesInput, type WorkOptions } from "andon";
import { afterEach, expect } from "vitest";

export const TASKS = new URL("../../../testkit/dist/isolated-tasks.js", import.meta.url);
export const execArgv = ["--import", new URL("./built-runner.fixture.mjs", import.meta.url).href];
/** Enables TypeScript in the runners of a program that passes its arguments on, on every version of Node. */
export const TYPESCRIPT = new URL("./typescript-runner.fixture.mjs", import.meta.url).href;
export const decision = { actor: "tester", reason: "test" };

const opened: Andon[] = [];
export const errors: unknown[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((andon) => andon.close()));
  expect(errors.splice(0)).toEqual([]);
});

export async function openStore(url = "sqlite::memory:"): Promise<Andon> {
  const andon = await open(url, { onError: (error) => errors.push(error) });
  opened.push(andon);
  return andon;
}

/** A queue whose rules end no job by themselves: only what a test sets ends a job. */
export async function working(options: WorkOptions, rules: QueueRulesInput = {}, url?: string) {
  const andon = await openStore(url);
  const queue = andon.queue<Errand>("errands", {
    timeout: 0,
    settleGrace: 50,
    attempts: 1,
    onFinalFailure: "skip",
    backoff: { delay: 1 },
    ...rules,
  });
  const worker = await queue.work(TASKS, { execArgv, places: 1, ...options });
  return { andon, queue, worker };
}

export const ended = (andon: Andon, id: string, state: Job["state"], longestMs?: number) =>
  until(async () => {
    const job = await andon.job(id);
    return job?.state === state && job;
  }, longestMs);

export const progressOf = <T>(andon: Andon, id: string) =>
  until(async () => (await andon.job(id))?.progress as T | undefined);

/** Adds an errand and returns its job once that has reached `state`. */
export async function errand(
  andon: Andon,
  queue: Queue<Errand>,
  payload: Errand,
  state: Job["state"] = "done",
) {
  const { id } = await queue.add(payload);
  return ended(andon, id, state);
}

export const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
