import { parentPort, workerData } from "node:worker_threads";
import type { SqsSettings } from "../contract/settings.ts";
import { SqsCalls } from "./sqs-calls.ts";

type CallName = keyof SqsCalls;

/** One call with its arguments. */
export interface SqsQuestion {
  readonly id: number;
  readonly call: CallName;
  readonly args: readonly unknown[];
}

export interface SqsAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string };
}

const calls = new SqsCalls(workerData as SqsSettings);

parentPort?.on("message", async (question: SqsQuestion) => parentPort?.postMessage(await answerTo(question)));

async function answerTo({ id, call, args }: SqsQuestion): Promise<SqsAnswer> {
  try {
    const run = calls[call] as (...args: readonly unknown[]) => Promise<unknown>;
    return { id, value: await run.apply(calls, args as unknown[]) };
  } catch (error) {
    const { name = "Error", message = "", code } = error as Error & { code?: unknown };
    return { id, error: { name, message, ...(typeof code === "string" ? { code } : {}) } };
  }
}
