import type { Andon } from "@andon/engine";
import { expect, test } from "vitest";
import { historyCsv, wantsCsv } from "../../src/operator/history.ts";
import { describeServers, type TestServer, until } from "../harness.ts";

const MINUTE_MS = 60_000;
const SETTINGS = { queues: { mails: {} } };

/** Adds jobs to the server's queue `mails` and waits until they are done. */
async function worked(server: TestServer, count: number): Promise<void> {
  const { queue } = server.site.queues.get("mails") as { queue: ReturnType<Andon["queue"]> };
  await queue.work(() => {});
  await queue.addMany(Array.from({ length: count }, (_, n) => n));
  await until(async () => (await queue.status()).counts.done === count);
}

describeServers("the history of a queue over HTTP", (it) => {
  it("has one point per minute with exact counts, as JSON and as CSV", SETTINGS, async (server) => {
    await worked(server, 25);
    const from = new Date(Date.now() - 3 * MINUTE_MS).toISOString();
    const path = `/admin/queues/mails/history?from=${encodeURIComponent(from)}&step=1m`;
    const { status, body } = await server.ask("GET", path);
    expect([status, body.queue, body.step]).toEqual([200, "mails", "1m"]);
    expect(body.points.length).toBeGreaterThanOrEqual(4);
    const sum = (member: string) =>
      body.points.reduce((total: number, point: Record<string, number>) => total + (point[member] ?? 0), 0);
    expect([sum("added"), sum("done"), sum("failed"), sum("attemptsFailed")]).toEqual([25, 25, 0, 0]);
    expect(body.points[0]).toMatchObject({ added: 0, waitP50: null, waiting: null, running: null });
    expect(body.points.at(-1)).toMatchObject({ waiting: 0, running: 0 });

    for (const asked of [{ path: `${path}&format=csv` }, { path, headers: { accept: "text/csv" } }]) {
      const csv = await server.ask("GET", asked.path, { headers: asked.headers ?? {} });
      expect(csv.headers.get("content-type")).toContain("text/csv");
      const [head, ...lines] = String(csv.body).trimEnd().split("\r\n");
      expect(head).toBe("at,added,done,failed,attemptsFailed,waitP50,waitP95,runP50,runP95,waiting,running");
      expect(lines.reduce((total, line) => total + Number(line.split(",")[1]), 0)).toBe(25);
    }
  });

  it(
    "is refused if it is too long, ends before it begins, or names an unknown queue",
    SETTINGS,
    async (server) => {
      const code = async (path: string) => (await server.ask("GET", `/admin/queues/${path}`)).body.error;
      expect(await code("mails/history?from=2020-01-01T00:00:00Z")).toBe("HISTORY_TOO_LONG");
      expect(await code("mails/history?from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z")).toBe(
        "HISTORY_RANGE",
      );
      expect((await server.ask("GET", "/admin/queues/mails/history?step=5m")).status).toBe(400);
      expect(await code("nothing/history")).toBe("QUEUE_NOT_FOUND");
    },
  );

  it("is the source of the Prometheus histograms", SETTINGS, async (server) => {
    await worked(server, 10);
    await until(async () => {
      const text = String((await server.ask("GET", "/metrics")).body);
      return /andon_job_run_seconds_count\{queue="mails"\} 10/.test(text);
    });
    const text = String((await server.ask("GET", "/metrics")).body);
    expect(text).toContain('andon_jobs_added_total{queue="mails"} 10');
    expect(text).toMatch(/andon_job_wait_seconds_bucket\{queue="mails",le="\+Inf"\} 10/);
  });

  it("a resume in waves is shown until it is over", SETTINGS, async (server) => {
    const { queue } = server.site.queues.get("mails") as { queue: ReturnType<Andon["queue"]> };
    const ask = server.ask.bind(server);
    await ask("POST", "/admin/queues/mails/pause", { body: {} });
    await queue.addMany([1, 2, 3]);
    let finish = () => {};
    const first = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await queue.work(() => first);
    expect((await ask("POST", "/admin/queues/mails/resume", { body: { ramp: { waves: [0] } } })).status).toBe(
      400,
    );
    expect((await ask("POST", "/admin/queues/mails/resume", { body: { ramp: true } })).body.changed).toBe(
      true,
    );
    const ramp = async () => (await ask("GET", "/admin/queues/mails")).body.ramp;
    await until(async () => (await ramp())?.started === 1);
    expect(await ramp()).toEqual({ wave: 1, waves: [1, 10, 100], started: 1, done: 0, failed: 0 });
    finish();
    await until(async () => (await ramp()) === null);
    expect((await ask("GET", "/admin/queues/mails")).body).toMatchObject({ state: "open", completed: 3 });
  });

  it("a failed attempt in a wave pauses the queue with its reason", SETTINGS, async (server) => {
    const { queue } = server.site.queues.get("mails") as { queue: ReturnType<Andon["queue"]> };
    const ask = server.ask.bind(server);
    await ask("POST", "/admin/queues/mails/pause", { body: {} });
    await queue.addMany([1, 2, 3]);
    await queue.work(() => {
      throw new Error("still away");
    });
    await ask("POST", "/admin/queues/mails/resume", { body: { ramp: true } });
    const status = async () => (await ask("GET", "/admin/queues/mails/status")).body;
    await until(async () => (await status()).pauseReason === "RAMP_FAILED");
    expect(await status()).toMatchObject({ isPaused: true, waiting: 3, failed: 0, delayed: 0 });
  });

  it("workers are shown with their load, beat and version", SETTINGS, async (server) => {
    const { queue } = server.site.queues.get("mails") as { queue: ReturnType<Andon["queue"]> };
    await queue.work(() => {}, { places: 7 });
    const { body } = await server.ask("GET", "/admin/workers");
    expect(body.items[0]).toMatchObject({ silentSince: null, running: 0, lastBeatAt: expect.any(String) });
    expect(body.items[0].places).toBeGreaterThanOrEqual(7);
    expect(body.items[0].version).toMatch(/^\d+\.\d+\.\d+/);
    expect(body.lost).toEqual([]);
  });
});

test("a caller who prefers CSV gets it", () => {
  expect(wantsCsv(undefined)).toBe(false);
  expect(wantsCsv("*/*")).toBe(false);
  expect(wantsCsv("text/csv")).toBe(true);
  expect(wantsCsv("application/json, text/csv;q=0.5")).toBe(false);
  expect(wantsCsv("text/csv;q=0.9, application/json;q=0.1")).toBe(true);
});

test("a null is an empty field of the CSV", () => {
  const nothing = { waitP50: null, waitP95: null, runP50: null, runP95: null, waiting: null, running: null };
  const point = { at: 0, added: 1, done: 2, failed: 3, attemptsFailed: 4, ...nothing };
  const csv = historyCsv({ queue: "q", step: "1m", points: [point] });
  expect(csv.split("\r\n")[1]).toBe("1970-01-01T00:00:00.000Z,1,2,3,4,,,,,,");
});
