import { type Language, type Principal, ROUTES } from "@andon/contract";
import { expect, test } from "vitest";
import { serveAlerts } from "../../src/alerts/serve.ts";
import type { HttpCall } from "../../src/http/mount.ts";
import type { Site } from "../../src/site.ts";
import { describeAlerts } from "./alert-bench.ts";

const principal: Principal = {
  actor: "key:ops",
  permissions: ["admin"],
  tenantId: null,
  organizationId: null,
};

function called(parts: object): HttpCall<never> {
  return { principal, language: "ko" as Language, ...parts } as unknown as HttpCall<never>;
}

describeAlerts("the routes of alerts", (bench) => {
  test("send a test alert, list it, show it, and leave an audit row", async () => {
    const process = await bench().process();
    const { alerts } = serveAlerts(process as unknown as Site);
    const made = ROUTES.alerts.test.answer.parse(await alerts.test(called({ body: {} })));
    expect(made).toMatchObject({ type: "TEST", severity: "WARNING", details: { actor: "key:ops" } });
    expect(made.deliveries).toEqual([{ channel: "log", state: "PENDING", attempts: 0, lastError: null }]);

    const shown = await alerts.show(called({ params: { id: made.id } }));
    expect(ROUTES.alerts.show.answer.parse(shown)).toEqual(made);
    const query = ROUTES.alerts.list.query.parse({ state: "resolved", limit: "5" });
    const listed = ROUTES.alerts.list.answer.parse(await alerts.list(called({ query })));
    expect(listed).toEqual({ total: 1, page: 1, limit: 5, items: [made] });
    expect((await process.andon.audit()).items).toMatchObject([
      { actor: "key:ops", action: "alert.test", target: `alert:${made.id}`, after: { channels: ["log"] } },
    ]);
  });

  test("list in pages, newest first", async () => {
    const process = await bench().process();
    const ids: string[] = [];
    for (let number = 0; number < 3; number++) ids.unshift((await process.alerts.test("kim")).id);
    const { alerts } = serveAlerts(process as unknown as Site);
    const page = async (number: number) => {
      const query = ROUTES.alerts.list.query.parse({ page: number, limit: 2 });
      return ROUTES.alerts.list.answer.parse(await alerts.list(called({ query })));
    };
    expect((await page(1)).items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(await page(2)).toMatchObject({ total: 3, items: [{ id: ids[2] }] });
  });

  test("list critical alerts first among firing alerts", async () => {
    const process = await bench().process();
    await process.andon.transaction((tx) =>
      tx.query(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 9)
insert into server_alerts (id, type, occasion, severity, queue, subject, details, fired_at, resolved_at)
select 'alert-' || i, 'T', 'stopped', case when i in (2, 4) then 'CRITICAL' else 'WARNING' end, 'q', 'job-' || i, '{}', i,
  case when i = 4 then i else null end
from n`),
    );
    const { alerts } = serveAlerts(process as unknown as Site);
    const query = ROUTES.alerts.list.query.parse({ state: "firing", limit: 3 });
    const { items, total } = ROUTES.alerts.list.answer.parse(await alerts.list(called({ query })));
    expect(total).toBe(8);
    expect(items.map(({ id }) => id)).toEqual(["alert-2", "alert-9", "alert-8"]);
  });

  test("count alerts, and filter by state, queue and type", async () => {
    const process = await bench().process();
    await process.andon.transaction((tx) =>
      tx.query(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1005)
insert into server_alerts (id, type, occasion, severity, queue, subject, details, fired_at, resolved_at)
select 'alert-' || i, case when i = 7 then 'RARE' else 'COMMON' end, 'held', 'WARNING',
  case when i % 2 = 0 then 'even' else 'odd' end, 'job-' || i, '{}', i, case when i % 500 = 0 then null else i end
from n`),
    );
    const { alerts } = serveAlerts(process as unknown as Site);
    const listed = async (wish: object) => {
      const query = ROUTES.alerts.list.query.parse(wish);
      return ROUTES.alerts.list.answer.parse(await alerts.list(called({ query })));
    };
    expect(await listed({ limit: 2 })).toMatchObject({ total: 1_005, items: [{}, {}] });
    const deep = await listed({ limit: 100, page: 11 });
    expect(deep).toMatchObject({ total: 1_005 });
    expect(deep.items.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1].map((n) => `alert-${n}`));
    const firing = await listed({ state: "firing" });
    expect(firing).toMatchObject({ total: 2, items: [{ id: "alert-1000" }, { id: "alert-500" }] });
    expect(await listed({ queue: "even", state: "resolved" })).toMatchObject({ total: 500 });
    expect(await listed({ type: "RARE" })).toMatchObject({ total: 1, items: [{ id: "alert-7" }] });
  });

  test("answer ALERT_NOT_FOUND for an unknown alert", async () => {
    const { alerts } = serveAlerts((await bench().process()) as unknown as Site);
    await expect(alerts.show(called({ params: { id: "nothing" } }))).rejects.toMatchObject({
      code: "ALERT_NOT_FOUND",
    });
  });
});
