// One file, since all tests use the same clock and the same few schedules.
import type { Job, MissedPolicy, ScheduleSpec } from "@andon/contract";
import { Andon, type Store } from "@andon/engine";
import { type Bench, describeOn, KIM } from "@andon/testkit/conformance";
import { expect } from "vitest";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A moment between two due times of all schedules below. */
const START = Date.UTC(2031, 4, 6, 7, 30, 30);

/** More schedules than one pass handles. */
const UNREADABLE = 150;

const hourly = (more: Partial<ScheduleSpec> = {}): ScheduleSpec => ({
  name: "report",
  queue: "line",
  cron: "0 * * * *",
  timeZone: "Asia/Seoul",
  ...more,
});

/** Sets the wall clock; schedules that are due by then fire when time next passes. */
function setClock(bench: Bench, at: number): void {
  bench.clock.setWallClockBy(at - bench.clock.now());
}

/** Works the line; `dues` returns the due times of the jobs that ran, in the order of their starts. */
async function workLine(
  bench: Bench,
  andon = bench.andon,
): Promise<{ ran: Job[]; dues: () => (number | null)[] }> {
  const ran: Job[] = [];
  await andon.queue("line").work(
    (job) => {
      ran.push(job);
    },
    { places: 1 },
  );
  return { ran, dues: () => ran.map((job) => job.runAt) };
}

const at = (hour: number, minute = 0) => Date.UTC(2031, 4, 6, hour, minute);
const typesOf = async (bench: Bench) =>
  (await bench.store.read.events(0, 1_000)).filter((event) => event.type.startsWith("schedule."));

describeOn(STORE_KINDS, "schedules", (it) => {
  it("runs now when a person asks for it, also while inactive, and keeps its due times", async (bench) => {
    setClock(bench, START);
    await bench.andon.schedules.put(hourly());
    await bench.andon.schedules.deactivate("report", KIM);
    const { jobId } = await bench.andon.schedules.runNow("report", KIM);
    expect(await bench.job(jobId)).toMatchObject({ queue: "line", state: "ready" });
    const again = await bench.andon.schedules.runNow("report", KIM);
    expect(again.jobId).not.toBe(jobId);
    expect(await bench.andon.schedules.get("report")).toMatchObject({ isActive: false, nextAt: null });
    const { items } = await bench.andon.audit({ action: "schedule.run-now" });
    expect(items.map(({ actor, after }) => [actor, after])).toEqual([
      [KIM.actor, { jobId: again.jobId }],
      [KIM.actor, { jobId }],
    ]);
    await expect(bench.andon.schedules.runNow("none", KIM)).rejects.toMatchObject({
      code: "SCHEDULE_NOT_FOUND",
    });
  });

  it("is put and removed with the caller's own rows, or not at all", async (bench) => {
    const { schedules, store } = bench.andon;
    const put = (end: () => void) =>
      store.transaction("own-rows", async (tx) => {
        await schedules.put(hourly(), KIM, { tx });
        end();
      });
    const fail = () => {
      throw new Error("the caller's own write failed");
    };
    await expect(put(fail)).rejects.toThrow("own write");
    expect(await schedules.get("report")).toBeUndefined();
    await put(() => {});
    expect(await schedules.get("report")).toMatchObject({ name: "report", isActive: true });
    const remove = (end: () => void) =>
      store.transaction("own-rows", async (tx) => {
        await schedules.remove("report", KIM, { tx });
        end();
      });
    await expect(remove(fail)).rejects.toThrow("own write");
    expect(await schedules.get("report")).toBeDefined();
    await remove(() => {});
    expect(await schedules.get("report")).toBeUndefined();
    const { items } = await bench.andon.audit();
    expect(items.map(({ action }) => action)).toEqual(["schedule.remove", "schedule.put"]);
    expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true });
  });

  it("refuses a caller's own connection, on which its audit row could not be chained", async (bench) => {
    await bench.place.ownTransaction(bench.url, async ({ tx }) => {
      await expect(bench.andon.schedules.put(hourly(), KIM, { tx })).rejects.toMatchObject({
        code: "INVALID_OPTION",
        details: { option: "tx" },
      });
      return "rollback";
    });
    expect(await bench.andon.schedules.get("report")).toBeUndefined();
  });

  it("adds a job at each due time, which the job carries", async (bench) => {
    setClock(bench, START);
    const { ran } = await workLine(bench);
    await bench.andon.schedules.put(
      hourly({ payload: { of: "sales" }, job: { key: "k", priority: 3, tenant: "acme" } }),
    );
    for (const hour of [8, 9]) {
      setClock(bench, at(hour) - 500);
      await bench.pass(2_000);
    }
    expect(ran.map((job) => job.runAt)).toEqual([at(8), at(9)]);
    const { name, queue, payload, keys, priority, tenant } = ran[0] as Job;
    expect({ name, queue, payload, keys, priority, tenant }).toEqual({
      name: "report",
      queue: "line",
      payload: { of: "sales" },
      keys: ["k"],
      priority: 3,
      tenant: "acme",
    });
    const fired = await typesOf(bench);
    expect(fired.map((event) => [event.type, event.jobId, event.data])).toEqual(
      ran.map((job) => ["schedule.fired", job.id, { schedule: "report", dueAt: job.runAt }]),
    );
    expect(await bench.andon.schedules.get("report")).toMatchObject({ nextAt: at(10), lastDueAt: at(9) });
  });

  it("gives every attempt of its job the due time", async (bench) => {
    setClock(bench, at(8) - 500);
    await bench.andon.schedules.put(hourly());
    const seen: (number | null)[] = [];
    await bench.queue({ attempts: 2, backoff: { delay: "5s" } }).work((job, { attempt }) => {
      seen.push(job.runAt);
      if (attempt === 1) throw new Error("not yet");
    });
    await bench.pass(10_000);
    expect(seen).toEqual([at(8), at(8)]);
  });

  it("fires every second when the expression has six fields", async (bench) => {
    setClock(bench, START);
    const { dues } = await workLine(bench);
    await bench.andon.schedules.put(hourly({ cron: "*/2 * * * * *" }));
    await bench.pass(6_000);
    expect(dues()).toEqual([2_000, 4_000, 6_000].map((ms) => START + ms));
  });

  it("changes nothing when it is put again unchanged", async (bench) => {
    setClock(bench, START);
    const { schedules } = bench.andon;
    const spec = hourly({ payload: { b: 1, a: [null] }, job: { keys: ["x", "y"] } });
    const first = await schedules.put(spec, KIM);
    setClock(bench, START + 10_000);
    expect(first).toMatchObject({ isNew: true, changed: true, schedule: { nextAt: at(8), isActive: true } });
    expect(await schedules.put(spec)).toEqual({ ...first, isNew: false, changed: false });
    expect((await bench.andon.audit({ target: "schedule:report" })).total).toBe(1);

    const renamed = await schedules.put({ ...spec, payload: 2 });
    expect(renamed).toMatchObject({
      changed: true,
      schedule: { id: first.schedule.id, payload: 2, nextAt: at(8) },
    });
    const moved = await schedules.put({ ...spec, cron: "45 * * * *" });
    expect(moved.schedule.nextAt).toBe(at(7, 45));
    const rows = (await bench.andon.audit({ target: "schedule:report" })).items;
    expect(rows.map((row) => [row.action, row.actor, row.reason])).toEqual([
      ["schedule.put", "system", null],
      ["schedule.put", "system", null],
      ["schedule.put", KIM.actor, KIM.reason],
    ]);
    expect(rows[1]).toMatchObject({ before: { payload: { b: 1, a: [null] } }, after: { payload: 2 } });
  });

  it("creates one schedule when two processes put it at once", async (bench) => {
    const there = await bench.another();
    const put = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? bench.andon : there).schedules.put(hourly())),
    );
    expect(put.filter((one) => one.isNew)).toHaveLength(1);
    expect(new Set(put.map((one) => one.schedule.id)).size).toBe(1);
    expect((await there.schedules.list()).total).toBe(1);
  });

  it("refuses invalid expressions and options, and says what is allowed", async (bench) => {
    const refused = (spec: object) =>
      bench.andon.schedules.put({ ...hourly(), ...spec } as ScheduleSpec).then(
        () => "stored",
        (error) => `${error.code} ${error.details.option}`,
      );
    for (const cron of [
      "* * * *",
      "* * * * * * *",
      "@daily",
      "61 * * * *",
      "0 ? * * *",
      "0 0 31 2 *",
      "",
      "x",
    ])
      expect([cron, await refused({ cron })]).toEqual([cron, "INVALID_OPTION cron"]);
    for (const timeZone of ["Mars/Olympus", "+09:00", "", "KST+9"])
      expect([timeZone, await refused({ timeZone })]).toEqual([timeZone, "INVALID_OPTION timeZone"]);
    expect(await refused({ missed: "never" })).toBe("INVALID_OPTION missed");
    expect(await refused({ queue: "no spaces" })).toBe("INVALID_OPTION queue");
    expect(await refused({ name: "" })).toBe("INVALID_OPTION name");
    expect(await refused({ job: { priority: 0.5 } })).toBe("INVALID_OPTION priority");
    expect(await refused({ job: { key: "a", keys: ["b"] } })).toBe("INVALID_OPTION keys");
    expect(await refused({ payload: 1n })).toMatch(/^PAYLOAD_INVALID/);
    await expect(bench.andon.schedules.put({ ...hourly(), timezone: "UTC" } as ScheduleSpec)).rejects.toThrow(
      'Did you mean "timeZone"?',
    );
    await expect(
      bench.andon.schedules.put({ ...hourly(), job: { prioritty: 1 } } as ScheduleSpec),
    ).rejects.toThrow('Did you mean "priority"?');
    expect((await bench.andon.schedules.list()).total).toBe(0);
    await expect(bench.andon.schedules.put(hourly(), { actor: " " })).rejects.toMatchObject({
      code: "INVALID_OPTION",
    });
  });

  it("previews the due times of a stored schedule and of one that is not stored", async (bench) => {
    setClock(bench, START);
    const { schedules } = bench.andon;
    await schedules.put(hourly());
    expect(await schedules.preview("report", 2)).toEqual([at(8), at(9)]);
    expect(await schedules.preview({ cron: "0 0 1 * *", timeZone: "UTC" })).toEqual(
      [5, 6, 7, 8, 9].map((month) => Date.UTC(2031, month, 1)),
    );
    await expect(schedules.preview("other")).rejects.toMatchObject({ code: "SCHEDULE_NOT_FOUND" });
    await expect(schedules.preview("report", 0)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  const missedWhileDown = (
    missed: MissedPolicy | undefined,
    expected: number[],
    told: object[],
    lateBy: number,
  ) =>
    it(`after hours without a worker, missed: ${missed ?? "(default)"}, ${lateBy / 1_000} s after the last`, async (bench) => {
      setClock(bench, START);
      await bench.andon.schedules.put(hourly(missed ? { missed } : {}));
      setClock(bench, at(11) + lateBy);
      const { dues } = await workLine(bench);
      await bench.pass(3_000);
      expect(dues()).toEqual(expected);
      const events = (await typesOf(bench)).filter((event) => event.type === "schedule.missed");
      expect(events.map((event) => event.data)).toEqual(told);
      setClock(bench, at(12));
      await bench.pass(2_000);
      expect(dues()).toEqual([...expected, at(12)]);
    });

  const left = (count: number, last: number, policy: string) => ({
    schedule: "report",
    policy,
    count,
    first: at(8),
    last,
    more: false,
  });
  missedWhileDown(undefined, [at(11)], [left(3, at(10), "once")], 30 * MINUTE);
  missedWhileDown("once", [at(11)], [left(3, at(10), "once")], 10_000);
  missedWhileDown("all", [at(8), at(9), at(10), at(11)], [], 30 * MINUTE);
  missedWhileDown("skip", [], [left(4, at(11), "skip")], 2 * MINUTE);
  missedWhileDown("skip", [at(11)], [left(3, at(10), "skip")], 59_000);

  it("catches up hundreds of missed times one by one, in order and in their lane", async (bench) => {
    setClock(bench, START);
    await bench.andon.schedules.put(hourly({ cron: "* * * * *", missed: "all", job: { key: "k" } }));
    setClock(bench, START + 250 * MINUTE);
    const { dues } = await workLine(bench);
    await bench.passUntil("all have run", () => dues().length >= 250);
    await bench.pass(2_000);
    expect(dues()).toEqual(Array.from({ length: 250 }, (_, n) => START + 30_000 + n * MINUTE));
  });

  it("counts missed times over months up to a bound", async (bench) => {
    setClock(bench, START);
    await bench.andon.schedules.put(hourly({ cron: "* * * * * *" }));
    setClock(bench, START + 90 * 24 * HOUR);
    const { dues } = await workLine(bench);
    await bench.settled();
    expect(dues()[0]).toBe(START + 90 * 24 * HOUR);
    expect((await typesOf(bench))[0]?.data).toMatchObject({ count: 1_000, more: true, first: START + 1_000 });
  });

  it("fires each due time once over many processes", async (bench) => {
    setClock(bench, START);
    const ran: Job[] = [];
    const fleet = [bench.andon, await bench.another(), await bench.another(), await bench.another()];
    for (const andon of fleet) await andon.queue("line").work((job) => void ran.push(job));
    for (const name of ["a", "b", "c"]) await bench.andon.schedules.put(hourly({ name, cron: "* * * * *" }));
    for (let n = 0; n < 10; n++) {
      setClock(bench, START + n * MINUTE + 29_900);
      await bench.pass(1_500);
    }
    const dues = Array.from({ length: 10 }, (_, n) => START + 30_000 + n * MINUTE);
    for (const name of ["a", "b", "c"])
      expect(ran.filter((job) => job.name === name).map((job) => job.runAt)).toEqual(dues);
  });

  it("neither loses nor doubles a run whose transaction was rolled back", async (bench) => {
    setClock(bench, START);
    await bench.andon.schedules.put(hourly());
    let cuts = 0;
    const breaking = cutting(bench.store, () => cuts++ < 3);
    const other = new Andon(breaking, { onError: () => {} });
    const { dues } = await workLine(bench, other);
    setClock(bench, at(8));
    await bench.pass(8_000);
    expect(cuts).toBeGreaterThan(3);
    expect(dues()).toEqual([at(8)]);
    expect(await bench.andon.schedules.get("report")).toMatchObject({ nextAt: at(9) });
    await other.close();
  });

  it("does not double a run when the clock is set by five minutes", async (bench) => {
    setClock(bench, START);
    const { dues } = await workLine(bench);
    await bench.andon.schedules.put(hourly({ cron: "* * * * *", missed: "all" }));
    const steps = [0, 5 * MINUTE, -5 * MINUTE, -5 * MINUTE, 5 * MINUTE, 0];
    for (const step of steps) {
      bench.clock.setWallClockBy(step);
      for (let n = 0; n < 6; n++) {
        bench.clock.setWallClockBy(29_000);
        await bench.pass(1_000);
      }
    }
    const last = Math.floor(bench.clock.now() / MINUTE) * MINUTE;
    const first = START + 30_000;
    const all = Array.from({ length: (last - first) / MINUTE + 1 }, (_, n) => first + n * MINUTE);
    expect(dues()).toEqual(all);
  });

  it("fires nothing while inactive, and does not catch up afterwards", async (bench) => {
    setClock(bench, START);
    const { schedules } = bench.andon;
    const { dues } = await workLine(bench);
    await schedules.put(hourly({ missed: "all" }));
    expect(await schedules.deactivate("report", KIM)).toEqual({ changed: true });
    expect(await schedules.deactivate("report", KIM)).toEqual({ changed: false });
    expect(await schedules.put(hourly({ missed: "all" }))).toMatchObject({ changed: false });
    setClock(bench, at(10, 30));
    await bench.pass(2_000);
    expect(await schedules.activate("report", KIM)).toEqual({ changed: true });
    setClock(bench, at(11));
    await bench.pass(2_000);
    expect(dues()).toEqual([at(11)]);
    await schedules.remove("report", KIM);
    expect(await schedules.get("report")).toBeUndefined();
    setClock(bench, at(12));
    await bench.pass(2_000);
    expect(dues()).toEqual([at(11)]);
    const rows = (await bench.andon.audit({ target: "schedule:report" })).items;
    expect(rows.map((row) => [row.action, row.actor])).toEqual([
      ["schedule.remove", KIM.actor],
      ["schedule.activate", KIM.actor],
      ["schedule.deactivate", KIM.actor],
      ["schedule.put", "system"],
    ]);
    await expect(schedules.remove("report", KIM)).rejects.toMatchObject({ code: "SCHEDULE_NOT_FOUND" });
  });

  it("lists schedules by name, page by page", async (bench) => {
    for (const name of ["c", "a", "b"]) await bench.andon.schedules.put(hourly({ name }));
    const page = await bench.andon.schedules.list({ page: 2, limit: 2 });
    expect({ ...page, items: page.items.map((schedule) => schedule.name) }).toEqual({
      total: 3,
      page: 2,
      limit: 2,
      items: ["c"],
    });
  });

  it("fires the other schedules when one cannot be parsed here", async (bench) => {
    setClock(bench, START);
    const { dues } = await workLine(bench);
    await bench.andon.schedules.put(hourly({ name: "a" }));
    await bench.andon.schedules.put(hourly({ name: "b" }));
    await bench.andon.transaction((tx) =>
      tx.query("update andon_schedules set time_zone = 'Mars/X' where name = 'a'"),
    );
    setClock(bench, at(8));
    await bench.pass(2_000);
    expect(dues()).toEqual([at(8)]);
    expect(String(bench.errors[0])).toMatch(/timeZone/);
    await bench.andon.schedules.put(hourly({ name: "a" }));
    await bench.pass(2_000);
    expect(dues()).toEqual([at(8)]);
  });

  it("fires schedules behind more unparsable ones than one pass takes, and reports each of those once", async (bench) => {
    setClock(bench, START);
    const { dues } = await workLine(bench);
    await bench.andon.schedules.put(hourly({ name: "readable" }));
    await bench.andon.transaction(async (tx) => {
      const columns = `queue, cron, missed, payload, lane_keys, priority, tenant, job_name, is_active, created_at, updated_at`;
      for (let n = 0; n < UNREADABLE; n++)
        await tx.query(
          `insert into andon_schedules (id, name, time_zone, next_at, ${columns})
           select $1, $2, 'Mars/X', next_at - 1, ${columns} from andon_schedules where name = 'readable'`,
          [`unreadable-${n}`, `unreadable-${n}`],
        );
    });
    for (const hour of [8, 9]) {
      setClock(bench, at(hour) - 500);
      await bench.pass(5_000);
    }
    expect(dues()).toEqual([at(8), at(9)]);
    expect(bench.errors).toHaveLength(UNREADABLE);
    // A schedule that was saved again counts as new: its problem is reported again.
    bench.errors.length = 0;
    await bench.andon.transaction((tx) =>
      tx.query("update andon_schedules set updated_at = updated_at + 1 where name = 'unreadable-7'"),
    );
    await bench.pass(5_000);
    expect(bench.errors).toHaveLength(1);
  });
});

/**
 * The same store. While `isCut` returns true, transactions that fire a schedule are rolled back after all their writes.
 */
function cutting(store: Store, isCut: () => boolean): Store {
  const transaction: Store["transaction"] = (verb, work, limit) =>
    store.transaction(
      verb,
      async (tx) => {
        let fires = false;
        const watched = new Proxy(tx, {
          get(_, name) {
            if (name === "saveSchedule") fires = true;
            const value: unknown = Reflect.get(tx, name, tx);
            return typeof value === "function" ? value.bind(tx) : value;
          },
        });
        const result = await work(watched);
        if (fires && isCut()) throw new Error("the power went");
        return result;
      },
      limit,
    );
  return new Proxy(store, {
    get: (_, name) => {
      if (name === "transaction") return transaction;
      if (name === "close") return async () => {};
      const value: unknown = Reflect.get(store, name, store);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
}
