import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "../peers/ioredis.ts";
import { exitWithParent } from "./exit-with-parent.ts";
import { freePort } from "./free-port.ts";

export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

export function redisVersion(): string | undefined {
  const asked = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return asked.status === 0 ? /v=(\S+)/.exec(asked.stdout)?.[1] : undefined;
}

/** An empty server for one round. Snapshots are off, so that no fork happens during the measurement. */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "andon-bench-redis-"));
  const port = await freePort();
  const fixed = [
    "--bind",
    "127.0.0.1",
    "--port",
    String(port),
    "--dir",
    folder,
    "--save",
    "",
    "--daemonize",
    "no",
  ];
  const [program, args] = exitWithParent("redis-server", [...fixed, ...settings]);
  const server = spawn(program, args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
    server.once("error", () => resolve());
  });
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `redis://127.0.0.1:${port}`;
  try {
    await untilReady(url);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function untilReady(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on("error", () => {});
  try {
    await Promise.race([
      client.ping(),
      sleep(10_000, undefined, { ref: false }).then(() => {
        throw new Error("redis-server did not answer within 10 s");
      }),
    ]);
  } finally {
    client.disconnect();
  }
}
