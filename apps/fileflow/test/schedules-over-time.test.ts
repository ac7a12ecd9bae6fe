import { expect } from "vitest";
import { describeFileflow, FileflowServer, until } from "./harness.ts";
import { defaultPipeline, Gate, noop, stagesOf } from "./programs.ts";

const DAY = 86_400_000;
const setUp = { app: { programs: { noop } }, settings: defaultPipeline(stagesOf("noop")) };

/**
 * Days on which the clocks change: the time zone, an expression for the hours around the change, and the expected due times.
 */
const EDGES = [
  ["America/New_York", "30 1,2,3 9 3 *", ["2025-03-09T06:30", "2025-03-09T07:00", "2025-03-09T07:30"]],
  ["America/New_York", "30 0,1,2 2 11 *", ["2025-11-02T04:30", "2025-11-02T05:30", "2025-11-02T07:30"]],
  // The clock changes by half an hour.
  ["Australia/Lord_Howe", "15 1,2,3 5 10 *", ["2025-10-04T14:45", "2025-10-04T15:30", "2025-10-04T16:15"]],
  ["Australia/Lord_Howe", "45 0,1,2 6 4 *", ["2025-04-05T13:45", "2025-04-05T14:45", "2025-04-05T16:15"]],
  ["Europe/Berlin", "30 1,2,3 30 3 *", ["2025-03-30T00:30", "2025-03-30T01:00", "2025-03-30T01:30"]],
  ["Europe/Berlin", "30 1,2,3 26 10 *", ["2025-10-25T23:30", "2025-10-26T00:30", "2025-10-26T02:30"]],
  // The clock does not change in this zone.
  ["Asia/Seoul", "30 1,2,3 9 3 *", ["2025-03-08T16:30", "2025-03-08T17:30", "2025-03-08T18:30"]],
] as const;

/** The Sunday of the clock change in any year, and the expected minutes from the first due time to the next two. */
const PREVIEWS = [
  ["America/New_York", "30 1,2,3 * 3 0#2", [30, 60]],
  ["America/New_York", "30 0,1,2 * 11 0#1", [60, 180]],
  ["Australia/Lord_Howe", "15 1,2,3 * 10 0#1", [45, 90]],
  ["Australia/Lord_Howe", "45 0,1,2 * 4 0#1", [60, 150]],
  ["Europe/Berlin", "30 1,2,3 * 3 0#L", [30, 60]],
  ["Europe/Berlin", "30 1,2,3 * 10 0#L", [60, 180]],
] as const;

const at = (time: string) => `${time}:00.000Z`;

async function add(server: FileflowServer, more: Record<string, unknown>): Promise<string> {
  const body = { pipelineCode: "default", timeZone: "UTC", ...more };
  return (await server.done("POST", "/pipelines/schedules", { body })).id;
}

/** Sets the next due time to this time, as if the server had been down since. */
async function dueSince(server: FileflowServer, id: string, time: string): Promise<void> {
  await server.site.andon.store.transaction("test", (tx) =>
    tx.query("update andon_schedules set next_at = $2, last_due_at = null where name = $1", [
      `fileflow:${id}`,
      Date.parse(time),
    ]),
  );
}

/** The due times of a schedule that have an execution, the earliest first. */
async function ranAt(server: FileflowServer, id: string): Promise<string[]> {
  const rows = await server.rows<{ key: string }>(
    "select idempotency_key as key from fileflow_executions where schedule_id = $1 order by idempotency_key",
    [id],
  );
  return rows.map(({ key }) => key.replace(`SCHEDULE#${id}#`, ""));
}

/** Waits until every due time has its executions. */
async function settled(server: FileflowServer): Promise<void> {
  await until(async () => {
    const { waiting, active, delayed } = await server.done("GET", "/admin/queues/fileflow-schedules");
    return waiting + active + delayed === 0;
  });
}

async function restarted(server: FileflowServer, store: string, set: typeof setUp): Promise<FileflowServer> {
  const ground = {
    data: server.data,
    ...(store === "postgres" ? { store: server.site.settings.store } : {}),
  };
  await server.stop();
  return FileflowServer.start(store as "sqlite", { ...set, ground });
}

describeFileflow("schedules over time", (it, store) => {
  it(
    "lose and double nothing when clocks change and the server restarts",
    setUp,
    async (server) => {
      const ids: string[] = [];
      for (const [timeZone, cron, [first]] of EDGES) {
        const id = await add(server, { timeZone, cron, missed: "all", overlap: "allow" });
        ids.push(id);
        await dueSince(server, id, at(first));
      }
      let running = await restarted(server, store, setUp);
      try {
        const all = async () => {
          const found = await Promise.all(ids.map((id) => ranAt(running, id)));
          return found.map((times) => times.slice(0, 3));
        };
        const expected = EDGES.map(([, , times]) => times.map(at));
        await until(async () => (await all()).every((times) => times.length === 3));
        expect(await all()).toEqual(expected);
        await settled(running);
        const made = (await running.done("GET", "/pipelines/executions")).total;
        // The same due times again, as after a restore of their rows from a backup; they are recognized.
        for (const [index, id] of ids.entries()) await dueSince(running, id, at(EDGES[index]?.[2][0] ?? ""));
        running = await restarted(running, store, setUp);
        await until(async () =>
          (await running.done("GET", "/pipelines/schedules")).items.every(
            ({ nextExecutionAt }: { nextExecutionAt: string }) => Date.parse(nextExecutionAt) > Date.now(),
          ),
        );
        await settled(running);
        expect((await running.done("GET", "/pipelines/executions")).total).toBe(made);
        expect(await all()).toEqual(expected);
      } finally {
        await running.stop();
      }
    },
    60_000,
  );

  it("show the effect of a clock change in their preview", setUp, async (server) => {
    for (const [timeZone, cron, minutes] of PREVIEWS) {
      const id = await add(server, { timeZone, cron });
      const { nextRuns } = await server.done("GET", `/pipelines/schedules/${id}/preview?count=3`);
      const [first = 0, ...next] = nextRuns.map((time: string) => Date.parse(time));
      expect([cron, next.map((time: number) => (time - first) / 60_000)]).toEqual([cron, minutes]);
    }
  });

  it(
    "run missed due times by their policy: once, all or none",
    setUp,
    async (server) => {
      const first = Math.floor(Date.now() / DAY) * DAY - 4 * DAY;
      const ids: Record<string, string> = {};
      for (const missed of ["once", "all", "skip"]) {
        const id = await add(server, { cron: "0 0 * * *", missed, overlap: "allow" });
        ids[missed] = id;
        await dueSince(server, id, new Date(first).toISOString());
      }
      const today = Math.floor(Date.now() / DAY) * DAY;
      const running = await restarted(server, store, setUp);
      try {
        const of = (missed: string) => ranAt(running, ids[missed] as string);
        await until(async () => (await of("all")).length >= 5 && (await of("once")).length >= 1);
        expect(await of("all")).toEqual(
          Array.from({ length: (today - first) / DAY + 1 }, (_, day) =>
            new Date(first + day * DAY).toISOString(),
          ),
        );
        expect(await of("once")).toEqual([new Date(today).toISOString()]);
        expect(await of("skip")).toEqual([]);
        const { items } = await running.done("GET", "/pipelines/schedules");
        for (const { nextExecutionAt } of items)
          expect(nextExecutionAt).toBe(new Date(today + DAY).toISOString());
      } finally {
        await running.stop();
      }
    },
    60_000,
  );

  it(
    "start during the earlier run with `overlap: allow`, and after it with `queue`",
    () => {
      gate = new Gate();
      return { app: { programs: { gate: gate.program } }, settings: defaultPipeline(stagesOf("gate")) };
    },
    async (server) => {
      const every = { cron: "* * * * * *" };
      const allowed = await add(server, { ...every, overlap: "allow" });
      const queued = await add(server, { ...every, overlap: "queue" });
      await until(async () => (await ranAt(server, allowed)).length >= 3);
      expect(await ranAt(server, queued)).toHaveLength(1);
      for (const id of [allowed, queued])
        await server.done("PATCH", `/pipelines/schedules/${id}`, { body: { isActive: false } });
      const [{ waiting }] = (await server.rows<{ waiting: number }>(
        "select count(*) as waiting from andon_job_states where queue = 'fileflow-schedules' and job_state <> 'done'",
      )) as [{ waiting: number }];
      expect(Number(waiting)).toBeGreaterThan(0);
      gate.open();
      await until(async () => (await ranAt(server, queued)).length === Number(waiting) + 1);
    },
    90_000,
  );
});

let gate = new Gate();
