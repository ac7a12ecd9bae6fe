import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RoundOrder } from "./child.ts";
import type { ContenderKind } from "./contender.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import type { PostgresForRounds } from "./servers/postgres.ts";
import { startRedis } from "./servers/redis.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

export type RoundResult = { outcome: Outcome } | { error: string };

/** Runs one round in a fresh process on a fresh store. Never throws: a round that fails is a result, too. */
export async function runRound(
  scenario: Scenario,
  kind: ContenderKind,
  variant: string,
  quick: boolean,
  postgres: PostgresForRounds | undefined,
  interrupt?: AbortSignal,
): Promise<RoundResult> {
  const folder = mkdtempSync(join(tmpdir(), "andon-bench-"));
  const cleanups: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  try {
    const order: RoundOrder = {
      scenario: scenario.name,
      contender: kind.name,
      variant,
      quick,
      place: { folder, queue: "bench" },
    };
    if (kind.store === "postgres" && postgres) {
      const database = await postgres.freshDatabase();
      cleanups.push(() => database.drop());
      order.place.postgresUrl = database.url;
    }
    if (kind.store === "redis") {
      const redis = await startRedis(kind.redisArguments?.(variant));
      cleanups.push(() => redis.stop());
      order.place.redisUrl = redis.url;
    }
    return await inChild(order, scenario.timeoutSeconds, interrupt);
  } catch (error) {
    return { error: String(error) };
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup().catch(() => {});
  }
}

function inChild(order: RoundOrder, timeoutSeconds: number, interrupt?: AbortSignal): Promise<RoundResult> {
  return new Promise((resolve) => {
    const child = fork(CHILD, [JSON.stringify(order)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    let log = "";
    let result: RoundResult | undefined;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-2_000);
    });
    const timer = setTimeout(() => {
      result = { error: `not finished after ${timeoutSeconds} s` };
      child.kill("SIGKILL");
    }, timeoutSeconds * 1000);
    const end = () => child.kill("SIGKILL");
    interrupt?.addEventListener("abort", end);
    child.once("message", (message: RoundResult) => {
      result = message;
    });
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      interrupt?.removeEventListener("abort", end);
      resolve(result ?? { error: `the round's process ended (${signal ?? code})\n${log}` });
    });
  });
}
