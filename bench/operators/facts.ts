import type { Connection } from "../http/connection.ts";
import { QUEUE } from "./store-mix.ts";

interface Named {
  id: string;
  ticket: string;
  keys: string[];
  createdAt: string;
  error: { fingerprint: string } | null;
}

/** Names of one store that calls request. There are enough of each kind that consecutive calls request different ones. */
export interface Facts {
  jobs: Record<"done" | "failed" | "ready" | "blocked" | "scheduled" | "resolved", Named[]>;
  stops: string[];
  alerts: string[];
  schedules: string[];
  tenants: number;
  /** The last page that is full. */
  lastPage: { done: number; audit: number };
  /** A key that sees only one tenant. */
  tenantKey: string;
}

const MANY = 100;

/** Reads them through the API, as an operator would. */
export async function factsOf(connection: Connection, token: string, tenants: number): Promise<Facts> {
  const page = async <Item>(path: string) => {
    const { items } = await connection.json<{ items: Item[] }>({ method: "GET", path, token });
    if (items.length === 0) throw new Error(`${path} is empty`);
    return items;
  };
  const jobs = (state: string) => page<Named>(`/admin/jobs?queue=${QUEUE}&state=${state}&limit=${MANY}`);
  const key = await connection.json<{ token: string }>({
    method: "POST",
    path: "/admin/keys",
    token,
    body: { name: "bench", permissions: ["queue.read"], tenantId: `tenant-${tenants - 1}` },
  });
  const lastPage = async (path: string) => {
    const { total, limit } = await connection.json<{ total: number; limit: number }>({
      method: "GET",
      path,
      token,
    });
    return Math.floor(total / limit);
  };
  const ids = async (path: string) => (await page<{ id: string }>(path)).map(({ id }) => id);
  return {
    jobs: {
      done: await jobs("done"),
      failed: await jobs("failed"),
      ready: await jobs("ready"),
      blocked: await jobs("blocked"),
      scheduled: await jobs("scheduled"),
      resolved: await jobs("resolved"),
    },
    stops: await ids(`/admin/queues/${QUEUE}/stops?limit=${MANY}`),
    alerts: await ids(`/admin/alerts?limit=${MANY}`),
    schedules: (await page<{ name: string }>(`/admin/schedules?limit=${MANY}`)).map(({ name }) => name),
    tenants,
    lastPage: {
      done: await lastPage(`/admin/jobs?queue=${QUEUE}&state=done`),
      audit: await lastPage("/admin/audit"),
    },
    tenantKey: key.token,
  };
}
