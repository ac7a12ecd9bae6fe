import type { AppSite } from "@andon/app";
import { Andon, Unretryable } from "@andon/engine";
import { openStore } from "@andon/store";
import { createDatabase } from "@andon/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMetrics } from "../../src/observe/metrics.ts";
import { STORES } from "../harness.ts";

describe.each(STORES)("on %s", (name) => {
  let andon: Andon;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const database = name === "postgres" ? await createDatabase() : undefined;
    andon = new Andon(await openStore(database?.url ?? "sqlite::memory:"));
    drop = async () => database?.drop();
  });
  afterEach(async () => {
    await andon.close();
    await drop();
  });

  test("metrics of queues are read from the store at the scrape", async () => {
    const metrics = openMetrics({ andon, apps: [] }, {} as AppSite);
    await metrics.text();
    const queue = andon.queue<{ bad?: boolean }>("mail", { mode: "serial", attempts: 1 });
    await queue.addMany([{}, {}, { bad: true }, {}]);
    await queue.work(({ payload }) => {
      if (payload.bad) throw new Unretryable("bad");
    });
    await queue.drained();
    await andon.store.compact();

    const text = await metrics.text();
    const figure = (name: string) =>
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")[1];
    expect(figure('andon_jobs{queue="mail",state="ready"}')).toBe("1");
    expect(figure('andon_jobs{queue="mail",state="failed"}')).toBe("1");
    expect(figure('andon_jobs{queue="mail",state="running"}')).toBe("0");
    expect(figure('andon_jobs_done_total{queue="mail"}')).toBe("2");
    expect(figure('andon_jobs_failed_total{queue="mail"}')).toBe("1");
    expect(figure('andon_queue_stopped{queue="mail"}')).toBe("1");
    expect(figure('andon_queue_degraded{queue="mail"}')).toBe("0");
    expect(figure('andon_lanes_held{queue="mail"}')).toBe("0");
    expect(figure("andon_workers")).toBe("1");
    expect(Number(figure('andon_oldest_waiting_seconds{queue="mail"}'))).toBeGreaterThan(0);
    expect(figure("process_start_time_seconds")).toBeDefined();
  });

  test("two concurrent scrapes have the same values", async () => {
    await andon.queue("mail").addMany([1, 2, 3]);
    const metrics = openMetrics({ andon, apps: [] }, {} as AppSite);
    const own = (text: string) => text.split("\n").filter((line) => line.startsWith("andon_jobs"));
    const [one, other] = await Promise.all([metrics.text(), metrics.text()]);
    expect(own(one)).toEqual(own(other));
    expect(one).toContain('andon_jobs{queue="mail",state="ready"} 3');
  });

  test("requests are counted by route, and streams have no duration", async () => {
    const metrics = openMetrics({ andon, apps: [] }, {} as AppSite);
    metrics.countRequest("/files/:id", "GET", 200, 0.02);
    metrics.countRequest("/events", "GET", 200, undefined);
    const text = await metrics.text();
    expect(text).toContain('andon_http_requests_total{route="/files/:id",method="GET",status="200"} 1');
    expect(text).toContain('andon_http_requests_total{route="/events",method="GET",status="200"} 1');
    expect(text).toContain('andon_http_request_duration_seconds_count{route="/files/:id",method="GET"} 1');
    expect(text).not.toContain('duration_seconds_count{route="/events"');
  });
});
