import type { Answer, Client } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { FOUND } from "../i18n/doctor.ts";
import type { Check, CheckInput, Finding } from "./check.ts";

type Overview = Answer<(typeof ROUTES)["queues"]["list"]>["items"][number];

type Worker = Answer<(typeof ROUTES)["workers"]["list"]>["items"][number];

const MOST_ON_A_PAGE = 100;
/** The queue of messages to deliver. */
const OUTBOX = "outbox";

export const access: Check = {
  name: "key",
  async run({ server, client }) {
    if (!server) return [];
    if (!client) return [{ level: "warn", what: FOUND.accessMissing, todo: FOUND.accessTodo }];
    const { actor } = await client.session.me();
    return [{ level: "ok", what: FOUND.accessGood, facts: { actor } }];
  },
};

export const workers: Check = {
  name: "workers",
  async run(input) {
    if (!input.client) return [];
    const alive = await workersOf(input.client);
    const queues = await queuesOf(input);
    if (alive.length > 0) {
      const unworked = queues.filter((queue) => isUnworked(queue, alive));
      if (unworked.length === 0)
        return [{ level: "ok", what: FOUND.workersGood, facts: { count: alive.length } }];
      return unworked.map(({ queue, waiting }): Finding => {
        const facts = { queue, waiting };
        return { level: "warn", what: FOUND.queueUnworked, facts, todo: FOUND.queueUnworkedTodo };
      });
    }
    const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
    return waiting > 0
      ? [{ level: "bad", what: FOUND.workersNoneWaiting, facts: { waiting }, todo: FOUND.workersTodo }]
      : [{ level: "warn", what: FOUND.workersNone, todo: FOUND.workersTodo }];
  },
};

export const stoppedQueues: Check = {
  name: "queues",
  async run(input) {
    if (!input.client) return [];
    const all = await queuesOf(input);
    const standing = all.filter(({ state }) => state !== "open");
    if (standing.length === 0) return [{ level: "ok", what: FOUND.queuesGood, facts: { count: all.length } }];
    return standing.map(({ queue, state, pauseReason }): Finding => {
      const facts = { queue, reason: pauseReason ?? "" };
      return state === "stopped"
        ? { level: "bad", what: FOUND.queueStopped, facts, todo: FOUND.queueStoppedTodo }
        : { level: "warn", what: FOUND.queueDegraded, facts, todo: FOUND.queueDegradedTodo };
    });
  },
};

export const heldLanes: Check = {
  name: "lanes",
  async run(input) {
    if (!input.client) return [];
    const counted = (await queuesOf(input)).map(({ queue, heldLanes }) => ({
      queue,
      count: heldLanes ?? 0,
    }));
    const held = counted.filter(({ count }) => count > 0);
    if (held.length === 0) return [{ level: "ok", what: FOUND.lanesGood }];
    return held.map(({ queue, count }) => {
      return {
        level: "warn",
        what: FOUND.lanesHeld,
        facts: { queue, count },
        todo: FOUND.lanesTodo,
      } as const;
    });
  },
};

/** The number of newest alerts to check. Older alerts that were never delivered do not matter today. */
const NEWEST_ALERTS = 20;

export const deliveries: Check = {
  name: "deliveries",
  async run(input) {
    if (!input.client) return [];
    const outbox = (await queuesOf(input)).find(({ queue }) => queue === OUTBOX);
    const { items } = await input.client.alerts.list({ limit: NEWEST_ALERTS });
    const failing = items.flatMap((alert) =>
      alert.deliveries.filter(({ state }) => state === "FAILED" || state === "RETRYING"),
    );
    const found: Finding[] = [];
    if (outbox && outbox.failed > 0) {
      const facts = { count: outbox.failed };
      found.push({ level: "bad", what: FOUND.deliveriesFailed, facts, todo: FOUND.deliveriesTodo });
    }
    for (const channel of new Set(failing.map((delivery) => delivery.channel))) {
      const last = failing.find((delivery) => delivery.channel === channel);
      const facts = { channel, problem: last?.lastError ?? "" };
      const level = last?.state === "FAILED" ? "bad" : "warn";
      found.push({ level, what: FOUND.channelFails, facts, todo: FOUND.channelTodo });
    }
    return found.length > 0 ? found : [{ level: "ok", what: FOUND.deliveriesGood }];
  },
};

/** Whether jobs wait for lack of a worker. Only for open queues: another check reports stopped and degraded ones. */
function isUnworked({ queue, state, waiting }: Overview, alive: readonly Worker[]): boolean {
  return state === "open" && waiting > 0 && !alive.some(({ queues }) => queues.includes(queue));
}

async function workersOf(client: Client): Promise<readonly Worker[]> {
  const found: Worker[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = await client.workers.list({ page, limit: MOST_ON_A_PAGE });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

async function queuesOf({ client }: CheckInput): Promise<readonly Overview[]> {
  return client ? (await client.queues.list({ limit: MOST_ON_A_PAGE })).items : [];
}
