import { AndonError, type Page } from "@andon/contract";
import type { Store } from "@andon/engine";
import { alongIndex, countUnlessReached, MOST_COUNTED, totalOf } from "@andon/store";
import {
  ALERT_COLUMNS,
  type Alert,
  type AlertRow,
  alertOf,
  type OpenTogether,
  type ShownIn,
} from "./alert-row.ts";
import { deliveriesOf } from "./deliveries.ts";
import { isGrouped } from "./rules.ts";

export interface AlertFilter {
  readonly state?: "firing" | "resolved" | undefined;
  readonly queue?: string | undefined;
  readonly type?: string | undefined;
}

const NEWEST_FIRST = "fired_at desc, id desc";
const CRITICAL_FIRST = `severity, ${NEWEST_FIRST}`;
const OPEN = { firing: "resolved_at is null", resolved: "resolved_at is not null" } as const;

export async function listAlerts(
  store: Store,
  filter: AlertFilter,
  page: number,
  limit: number,
  shown: ShownIn,
): Promise<Page<Alert>> {
  const { where, order, params } = selection(filter);
  const offset = (page - 1) * limit;
  // The count uses the order of the list, so that both queries read the same index.
  const found = `from server_alerts ${where} order by ${order} limit $${params.length + 1}`;
  const count = async () => {
    const sql = `select count(*) as total from (select 1 ${found}) a`;
    const [counted] = await store.scan<{ total: unknown }>(sql, [...params, MOST_COUNTED + 1]);
    return Number(counted?.total ?? 0);
  };
  const [counted, rows] = await Promise.all([
    // Only the number of firing alerts falls often: for other filters, a count that reached the limit is remembered.
    filter.state === "firing"
      ? count()
      : countUnlessReached(store, JSON.stringify(["alerts", filter]), count),
    offset < MOST_COUNTED
      ? store.scan<AlertRow>(`select ${ALERT_COLUMNS} ${found} offset $${params.length + 2}`, [
          ...params,
          limit,
          offset,
        ])
      : [],
  ]);
  return { ...totalOf(counted), page, limit, items: await withDeliveries(store, rows, shown) };
}

/**
 * Firing alerts are few and have an index of their own, sorted by severity (alphabetically, CRITICAL comes before WARNING): a
 * stopped queue must not be listed behind a thousand failed jobs. Other filters use the index of the queue, else that of the
 * type.
 */
function selection({ state, queue, type }: AlertFilter) {
  const given = Object.entries({ queue, type }).filter(([, value]) => value !== undefined);
  const lead = state === "firing" ? undefined : given[0]?.[0];
  const along = lead && alongIndex({ [lead]: "$1" }, ["fired_at", "id"], " desc");
  const conditions = [
    ...(state ? [OPEN[state]] : []),
    ...given.map(([column], index) => (along && column === lead ? along.where : `${column} = $${index + 1}`)),
  ];
  return {
    where: conditions.length > 0 ? `where ${conditions.join(" and ")}` : "",
    order: along ? along.order : state === "firing" ? CRITICAL_FIRST : NEWEST_FIRST,
    params: given.map(([, value]) => value),
  };
}

export async function findAlert(store: Store, id: string, shown: ShownIn): Promise<Alert> {
  const rows = await store.query<AlertRow>(`select ${ALERT_COLUMNS} from server_alerts where id = $1`, [id]);
  const [found] = await withDeliveries(store, rows, shown);
  if (!found) throw new AndonError("ALERT_NOT_FOUND", { alert: id });
  return found;
}

async function withDeliveries(store: Store, rows: readonly AlertRow[], shown: ShownIn): Promise<Alert[]> {
  const deliveries = await deliveriesOf(
    store,
    rows.map((row) => row.id),
  );
  const together = await openTogether(store, rows);
  return rows.map((row) => ({
    ...alertOf(row, { ...shown, together: together.get(togetherKey(row)) }),
    deliveries: deliveries.get(row.id) ?? [],
  }));
}

const togetherKey = ({ queue, type }: Pick<AlertRow, "queue" | "type">) => JSON.stringify([queue, type]);

/** `openTogether` for one alert. */
export async function togetherOf(store: Store, row: AlertRow): Promise<OpenTogether | undefined> {
  return (await openTogether(store, [row])).get(togetherKey(row));
}

/** The number of jobs and causes of all open alerts with the same queue and type, for each queue and type given. */
async function openTogether(
  store: Store,
  rows: readonly AlertRow[],
): Promise<ReadonlyMap<string, OpenTogether>> {
  const grouped = rows.filter(({ occasion, resolved_at }) => isGrouped(occasion) && resolved_at === null);
  const found = new Map<string, OpenTogether>();
  for (const row of grouped) {
    if (found.has(togetherKey(row))) continue;
    const [open] = await store.scan<{ jobs: number; causes: number }>(
      `select coalesce(sum(unsettled), 0) as jobs, count(*) as causes from server_alerts
where queue = $1 and type = $2 and resolved_at is null`,
      [row.queue, row.type],
    );
    found.set(togetherKey(row), { jobs: Number(open?.jobs ?? 0), causes: Number(open?.causes ?? 0) });
  }
  return found;
}
