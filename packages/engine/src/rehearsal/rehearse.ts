import {
  type Job,
  type Language,
  type Localized,
  REHEARSED_JOBS,
  type Rehearsal,
  type RehearsalCheck,
  type RehearsalOptions,
  type RehearsalQuestions,
} from "@andon/contract";
import { publicJob } from "../library/public-job.ts";
import type { Store } from "../ports/store.ts";
import { nextInLine } from "./next-in-line.ts";
import { timeToEmpty } from "./time-to-empty.ts";

/** A person waits for the answer: a check that has not answered by then counts as failed. */
const LONGEST_QUESTION_MS = 5_000;

const SILENT: Localized = { en: "it does not answer", ko: "응답하지 않습니다" };
const FAILS_AGAIN: Localized = { en: "It will fail again: {problem}", ko: "다시 실패합니다: {problem}" };

interface RehearsedQueue {
  readonly name: string;
  readonly isSerial: boolean;
  readonly questions: RehearsalQuestions | undefined;
}

/** What would happen if the queue were resumed now. It only reads, here and in the outside world. */
export async function rehearse(
  store: Store,
  { name, isSerial, questions }: RehearsedQueue,
  { limit = REHEARSED_JOBS.preset, retryFailed = false, language = "en" }: RehearsalOptions,
): Promise<Rehearsal> {
  const [destination, rows, counts] = await Promise.all([
    askDestination(questions, language),
    nextInLine(store.read, { queue: name, isSerial, limit, retryFailed }),
    store.read.counts(name),
  ]);
  const { ready, blocked, running, failed } = counts;
  const jobs = rows.map(publicJob);
  const checksOf = async (job: Job, index: number) =>
    destination.ok === false
      ? [willFail(destination.problem, language)]
      : askAbout(questions, job, jobs.slice(0, index), language);
  const [checks, estimatedMs] = await Promise.all([
    Promise.all(jobs.map(checksOf)),
    timeToEmpty(store, name, ready + blocked + running + (retryFailed ? failed : 0)),
  ]);
  const next = jobs.map((job, index) => ({ job, checks: checks[index] ?? [] }));
  return { destination, next, estimatedMs };
}

async function askDestination(
  questions: RehearsalQuestions | undefined,
  language: Language,
): Promise<Rehearsal["destination"]> {
  if (!questions) return { ok: null, latencyMs: null, problem: null };
  const since = performance.now();
  const problem = await answerOf(language, (signal) => questions.destination({ language, signal })).catch(
    (error: unknown) => textOf(error),
  );
  return { ok: problem === null, latencyMs: Math.round(performance.now() - since), problem };
}

function willFail(problem: string | null, language: Language): RehearsalCheck {
  const detail = FAILS_AGAIN[language].replace("{problem}", () => problem ?? "");
  return { name: "destination", ok: false, detail };
}

/** A check that throws or does not answer counts as failed: it is not known that the job would succeed. */
async function askAbout(
  questions: RehearsalQuestions | undefined,
  job: Job,
  before: readonly Job[],
  language: Language,
): Promise<readonly RehearsalCheck[]> {
  const check = questions?.check;
  if (!check) return [];
  return answerOf(language, (signal) => check(job, { language, signal, before })).catch((error: unknown) => [
    { name: "check", ok: false, detail: textOf(error) },
  ]);
}

async function answerOf<T>(language: Language, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => {
      const error = new Error(SILENT[language]);
      giveUp.abort(error);
      reject(error);
    }, LONGEST_QUESTION_MS);
  });
  try {
    return await Promise.race([ask(giveUp.signal), silence]);
  } finally {
    clearTimeout(late);
  }
}

const textOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
