import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  type NodeChild,
  type PostgresServer,
  type RedisServer,
  spawnNode,
  startPostgres,
  startRedis,
} from "@andon/testkit";
import { BroadcastServer, channelId, type StoreName, until } from "./harness.ts";

const CHANNELS = 120;
const CHUNK = 10;
const JOB = { chunkSize: CHUNK, throttle: { pauseMs: 15 } };
const FIXTURE = new URL("./broadcast-process.fixture.mjs", import.meta.url);
/** Makes the sweep take back a dead worker's job soon enough for a test. */
const QUICK_LEASE = { queues: { broadcast: { lease: 1_000, sweep: 200, backoff: { delay: 20 } } } };

export interface AbortFindings {
  readonly rounds: number;
  /** How many rounds had each trouble. */
  readonly troubles: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** What fails around an abort. */
type Trouble = "none" | "kill worker" | "kill Redis" | "flush Redis" | "restart database";

interface Scene {
  readonly api: BroadcastServer;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer | undefined;
  readonly spawnWorker: () => Promise<NodeChild>;
}

/**
 * Aborts bulk jobs at random moments while a worker process, Redis or the database fails, resumes them, and checks that only
 * whole chunks were written and that every channel was notified exactly once.
 */
export async function playAborts(
  store: StoreName,
  random: (below: number) => number,
  isOver: (rounds: number) => boolean,
): Promise<AbortFindings> {
  const data = mkdtempSync(join(tmpdir(), "andon-random-aborts-"));
  const redis = await startRedis();
  const postgres = store === "postgres" ? await startPostgres({ settings: { fsync: "off" } }) : undefined;
  const at = postgres?.url ?? `sqlite:${join(data, "andon.db")}`;
  const settings = { redisUrl: redis.url, ...QUICK_LEASE };
  const api = await BroadcastServer.start(store, {
    ground: { data, store: at },
    settings: { ...settings, roles: ["api"] },
  });
  const children: NodeChild[] = [];
  const spawnWorker = async () => {
    const child = spawnNode(FIXTURE, [
      JSON.stringify({ data, store: at, adminToken: api.adminToken, ...settings }),
    ]);
    children.push(child);
    await child.waitForLine("listening", 60_000);
    return child;
  };
  const problems: string[] = [];
  const troubles: Record<string, number> = {};
  let rounds = 0;
  try {
    await api.addChannels(CHANNELS);
    let worker = await spawnWorker();
    const kinds: Trouble[] = ["none", "kill worker", "kill Redis", "flush Redis"];
    if (postgres) kinds.push("restart database");
    while (!isOver(rounds)) {
      const trouble = kinds[rounds % kinds.length] as Trouble;
      troubles[trouble] = (troubles[trouble] ?? 0) + 1;
      const scene = { api, redis, postgres, spawnWorker };
      worker = await playRound(scene, worker, trouble, random, problems);
      rounds++;
    }
  } finally {
    for (const child of children) await child.kill("SIGKILL");
    await api.stop();
    await redis.stop();
    await postgres?.stop();
    rmSync(data, { recursive: true, force: true });
  }
  return { rounds, troubles, problems };
}

async function playRound(
  scene: Scene,
  worker: NodeChild,
  trouble: Trouble,
  random: (below: number) => number,
  problems: string[],
): Promise<NodeChild> {
  const { api } = scene;
  const id = await api.makeJob({ ...JOB, title: trouble });
  await wait(random(400));
  const isBefore = random(2) === 0;
  let now = isBefore ? await cause(scene, worker, trouble) : worker;
  const { status, body } = await patiently(() =>
    api.ask("POST", `/bulk-jobs/${id}/abort`, { body: { reason: trouble } }),
  );
  if (!isBefore) now = await cause(scene, worker, trouble);
  if (status !== 202 && status !== 409)
    problems.push(`${trouble}: abort answered ${status} ${JSON.stringify(body)}`);
  await until(async () => ["ABORTED", "COMPLETED"].includes((await patientJob(api, id)).state));
  const stopped = await patientJob(api, id);
  if (status === 202 && stopped.state === "COMPLETED" && stopped.receipt?.outcome !== "COMPLETED")
    problems.push(`${trouble}: an accepted abort was lost`);
  if (stopped.state === "ABORTED") {
    const written = await api.notified(id);
    if (stopped.processed % CHUNK !== 0 || written.length !== stopped.processed)
      problems.push(`${trouble}: ${stopped.processed} processed, ${written.length} written`);
    await patiently(() => api.ask("POST", `/bulk-jobs/${id}/resume`));
    await until(async () => (await patientJob(api, id)).state === "COMPLETED");
  }
  const all = Array.from({ length: CHANNELS }, (_, at) => channelId(at + 1));
  const written = await api.notified(id);
  if (written.join() !== all.join())
    problems.push(`${trouble}: ${written.length} of ${CHANNELS} notified in the end`);
  const [pushes] = await api.rows<{ count: number }>(
    "select count(*) as count from broadcast_pushes where job_id = $1",
    [id],
  );
  if (Number(pushes?.count) !== CHANNELS) problems.push(`${trouble}: ${pushes?.count} pushes`);
  return now;
}

/** Makes the trouble, and mends it so that the next round can begin. Returns the worker that runs now. */
async function cause(
  { redis, postgres, spawnWorker }: Scene,
  worker: NodeChild,
  trouble: Trouble,
): Promise<NodeChild> {
  if (trouble === "kill worker") {
    await worker.kill("SIGKILL");
    return spawnWorker();
  }
  if (trouble === "kill Redis") await redis.restart();
  if (trouble === "flush Redis") await redis.command("FLUSHALL");
  if (trouble === "restart database") await postgres?.restart();
  return worker;
}

/** Retries while a restarting database makes the server answer 503. */
async function patiently<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    const reply = await ask();
    if (reply.status < 500 || tries > 200) return reply;
    await wait(50);
  }
}

async function patientJob(api: BroadcastServer, id: string) {
  return (await patiently(() => api.ask("GET", `/bulk-jobs/${id}`))).body;
}
