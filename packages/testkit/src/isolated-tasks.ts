/** A handler that runs the task named by its payload; the isolation tests run it in threads and processes. */
import { closeSync, openSync } from "node:fs";
import { isMainThread, parentPort, threadId } from "node:worker_threads";
import { commit, DestinationDown, type IsolatedHandler, Snooze, Unretryable } from "@andon/engine";

export interface IsolatedErrand {
  task: keyof typeof tasks;
  /** The argument of the task. */
  with?: unknown;
}

/** Identifies this runner. */
const self = `${process.pid}/${isMainThread ? "main" : threadId}`;

class BadPicture extends Unretryable {
  override readonly name = "BadPicture";
}

function spin(): never {
  for (;;) Math.random();
}

const refuse = () => {
  throw new Error("do not look");
};
const UNREADABLE = [
  new Proxy({}, new Proxy({}, { get: refuse })),
  Object.defineProperties(new Error("its properties throw"), {
    code: { get: refuse },
    status: { get: refuse, enumerable: true },
  }),
  { [Symbol.toPrimitive]: refuse },
];

type Task = (
  given: unknown,
  job: Parameters<IsolatedHandler>[0],
  context: Parameters<IsolatedHandler>[1],
) => unknown;

const tasks = {
  self: () => self,
  where: () => ({ isMainThread, pid: process.pid }),
  echo: (given, job, { attempt }) => ({ given, attempt, cursor: job.cursor, when: new Date(0) }),
  spin: (_given, _job, { progress }) => {
    progress({ spinning: self });
    spin();
  },
  "spin on the first attempt": (_given, _job, { attempt }) => (attempt === 1 ? spin() : self),
  "wait for the signal": (_given, _job, { signal, progress }) => {
    progress({ waiting: self });
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        // A cancelled job keeps no result; the test checks that the same runner is used again.
        if (signal.reason.name !== "JobAborted" || signal.reason.cause !== "cancel") process.exit(1);
        reject(signal.reason);
      });
    });
  },
  "hide from the signal": (_given, _job, { progress }) => {
    progress({ hiding: self });
    return new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  },
  "open a file": (given, _job, { progress }) => {
    progress({ opening: self });
    closeSync(openSync(given as string, "r"));
  },
  exit: (given) => process.exit(given as number),
  "throw where nobody catches": () =>
    new Promise(() => {
      setTimeout(() => {
        throw new RangeError("nobody catches this");
      });
    }),
  "kill itself": () => {
    process.kill(process.pid, "SIGKILL");
    spin();
  },
  "eat memory": () => {
    const eaten: string[] = [];
    for (;;) eaten.push(`${eaten.length}`.repeat(1_000), Array(1_000).fill(eaten.length).join());
  },
  throw: (given) => {
    throw Object.assign(new TypeError("no such picture"), given);
  },
  "throw text": () => {
    throw "only text";
  },
  unretryable: () => {
    throw new BadPicture("the file is no picture");
  },
  "snooze first": async (_given, job, { checkpoint }) => {
    if (job.cursor === "snoozed") return "awake";
    await checkpoint("snoozed");
    throw new Snooze(1);
  },
  "destination down": () => {
    throw new DestinationDown("the share is not mounted");
  },
  circle: () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    return circle;
  },
  "return a function": () => () => {},
  "progress with a function": (_given, _job, { progress }) => progress(() => {}),
  "checkpoint with a function": (_given, _job, { checkpoint }) => checkpoint(() => {}),
  "throw what cannot be looked at": (given) => {
    throw UNREADABLE[given as number];
  },
  /** The module itself sends a message to the parent, on the runner's channel. */
  say: (given) => {
    if (parentPort) parentPort.postMessage(given);
    else process.send?.(given);
    return "said";
  },
  "say and wait": (given, _job, { signal }) => {
    tasks.say(given);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  },
  nothing: () => undefined,
  commit: () => commit(() => {}),
  "checkpoint with writes": (_given, _job, { checkpoint }) =>
    (checkpoint as (cursor: unknown, writes: unknown) => Promise<void>)(1, () => {}),
  "checkpoint and exit": async (given, job, { checkpoint }) => {
    const from = (job.cursor as number | null) ?? 0;
    for (let at = from; at < 4; at++) {
      if (at === given && from === 0) process.exit(1);
      await checkpoint(at + 1);
    }
    return { from };
  },
  "progress and wait": (given, _job, { progress, signal }) =>
    new Promise((_resolve, reject) => {
      progress(given);
      signal.addEventListener("abort", () => reject(signal.reason));
    }),
} satisfies Record<string, Task>;

const handler: IsolatedHandler<IsolatedErrand> = (job, context) =>
  (tasks[job.payload.task] as Task)(job.payload.with, job, context);
export default handler;
