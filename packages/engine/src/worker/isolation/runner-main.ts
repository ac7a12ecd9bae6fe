/**
 * The program of a runner: it loads the handler's module once and runs the jobs that it receives, one at a time. A
 * runner process ends with the process that started it.
 */
import { isMainThread, parentPort } from "node:worker_threads";
import { resultText } from "../../json-text.ts";
import { Commit } from "../handler.ts";
import { carry } from "./carried-error.ts";
import { followParent } from "./follow-parent.ts";
import type { IsolatedHandler } from "./isolated-handler.ts";
import type { FromRunner, ToRunner } from "./messages.ts";
import { CannotCross, RemoteContext } from "./remote-context.ts";

const module = process.argv[2] as string;
let handler: IsolatedHandler | undefined;
let running: RemoteContext | undefined;

function send(message: FromRunner): void {
  if (parentPort) parentPort.postMessage(message);
  else process.send?.(message);
}

function receive(message: ToRunner): void {
  if (message.kind === "run") void run(message);
  else running?.receive(message);
}

async function run({ job, attempt, arrivals }: Extract<ToRunner, { kind: "run" }>): Promise<void> {
  const context = new RemoteContext(job.id, attempt, arrivals, send);
  running = context;
  let answer: FromRunner;
  try {
    handler ??= await load();
    const result = await handler(job, context);
    if (result instanceof Commit) throw new CannotCross("return commit(…)");
    answer = { kind: "done", result: resultText(result) };
  } catch (error) {
    answer = { kind: "threw", error: carry(error), isSpent: handler === undefined };
  }
  running = undefined;
  context.end();
  send(answer);
}

async function load(): Promise<IsolatedHandler> {
  const { default: exported } = await import(module);
  // A CommonJS module that was compiled from an ES module has its default export one level down.
  const found = typeof exported === "function" ? exported : exported?.default;
  if (typeof found === "function") return found;
  throw new TypeError(`${module} has no handler: its default export must be a function`);
}

if (isMainThread) {
  process.on("message", receive);
  followParent((error) => send({ kind: "dying", error: carry(error) }));
} else parentPort?.on("message", receive);
