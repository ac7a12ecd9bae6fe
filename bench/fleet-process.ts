import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sharedNow } from "./clock.ts";

/** One worker process of a fleet. Run directly, this file is that process; imported, it starts one. */
export interface FleetOrder {
  readonly url: string;
  readonly queue: string;
  readonly places: number;
}

/** A job as its handler saw it: when it started and ended, on the clock that all processes share. */
export type Ran = readonly [n: number, started: number, ended: number];

type Message = { ready: true } | { ran: Ran[] };

export interface FleetProcess {
  /** Stops the worker and returns the jobs that it ran. */
  end(): Promise<Ran[]>;
}

const HERE = fileURLToPath(import.meta.url);

export async function startFleetProcess(order: FleetOrder): Promise<FleetProcess> {
  const child = fork(HERE, [JSON.stringify(order)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await messageOf(child);
  return {
    async end() {
      child.send("end");
      const message = await messageOf(child);
      return "ran" in message ? message.ran : [];
    },
  };
}

async function messageOf(child: ChildProcess): Promise<Message> {
  const ended = once(child, "exit").then(() => {
    throw new Error("a process of the fleet ended");
  });
  const [message] = (await Promise.race([once(child, "message"), ended])) as [Message];
  return message;
}

async function work({ url, queue: name, places }: FleetOrder): Promise<void> {
  // Ends with the process that started it, however that one ends.
  process.once("disconnect", () => process.exit());
  const { open } = await import("andon");
  const andon = await open(url);
  const ran: Ran[] = [];
  await andon.queue<number>(name).work(
    ({ payload: n }) => {
      const started = sharedNow();
      ran.push([n, started, sharedNow()]);
    },
    { places },
  );
  process.send?.({ ready: true });
  await once(process, "message");
  await andon.close();
  process.send?.({ ran }, () => process.exit());
}

if (process.argv[1] === HERE) await work(JSON.parse(process.argv[2] ?? "{}"));
