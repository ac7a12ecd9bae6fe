import { Conditions, type ServeAll } from "@andon/app";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { DLQ_STATES, type DlqState } from "../contract/states.ts";
import { scopeOf } from "../fileflow-context.ts";
import { mustBeDead, type RedrivePorts, recordDlq, redriveOne } from "./redrive.ts";
import type { ManyRedrives } from "./redrive-many.ts";
import { refuseBesidePlan } from "./refuse-beside-plan.ts";

type Serve = ServeAll<typeof FILEFLOW_ROUTES>["dlq"];

export function serveDlq(ports: RedrivePorts, many: ManyRedrives): Serve {
  const { context, letters, figures } = ports;
  const { store } = context.andon;
  return {
    async list(call) {
      const { page, limit, state, error, source, from, to, sample } = call.query;
      const conditions = new Conditions().within(scopeOf(call), "d");
      if (state !== undefined) conditions.add("d.state = ?", state);
      if (error !== undefined) conditions.add("d.error = ?", error);
      if (source !== undefined) conditions.add("d.source = ?", source);
      if (from !== undefined) conditions.add("d.received_at >= ?", Date.parse(from));
      if (to !== undefined) conditions.add("d.received_at < ?", Date.parse(to));
      return letters.list(conditions, { page, limit, isSample: sample === "true" });
    },
    async counts(call) {
      const all = new Conditions().within(scopeOf(call), "d");
      const rows = await store.scan<{ state: DlqState; error: string; count: number }>(
        `select d.state, d.error, count(*) as count from fileflow_dlq d ${all.where} group by d.state, d.error
         order by count(*) desc, d.error`,
        all.params,
      );
      const sum = (state: DlqState) =>
        rows.filter((row) => row.state === state).reduce((total, { count }) => total + Number(count), 0);
      return {
        counts: Object.fromEntries(DLQ_STATES.map((state) => [state, sum(state)])) as Record<
          DlqState,
          number
        >,
        byError: rows
          .filter(({ state }) => state === "DEAD")
          .map(({ error, count }) => ({ error, count: Number(count) })),
      };
    },
    show: (call) => letters.show(scopeOf(call), call.params.id),
    redriveOne: (call) => redriveOne(ports, scopeOf(call), call.params.id, whoOf(call)),
    async discard(call) {
      const who = whoOf(call);
      const scope = scopeOf(call);
      const { id } = call.params;
      const messageId = await store.transaction("dlq-discard", async (tx) => {
        const letter = await letters.lock(tx, scope, id);
        mustBeDead(letter, "discard");
        await tx.query("update fileflow_dlq set state = 'DISCARDED' where id = $1", [id]);
        await letters.trace(tx, id, { event: "DISCARDED", ...who });
        await recordDlq(tx, letter, "dlq.discard", who, "DISCARDED");
        return letter.messageId;
      });
      figures.count("discards");
      if (messageId !== null) await context.sqs?.takeFromDlq(id);
      return { id, state: "DISCARDED" };
    },
    plan: (call) => many.plan(scopeOf(call), call.body, call.principal.actor),
    async redriveMany(call) {
      const { planId, ratePerSecond, reason: _, ...wish } = call.body;
      const scope = scopeOf(call);
      if (planId !== undefined) refuseBesidePlan(wish);
      const plan = planId ?? (await many.plan(scope, wish, call.principal.actor)).planId;
      return many.start(scope, plan, whoOf(call), ratePerSecond);
    },
    redrives: (call) => many.list(scopeOf(call), call.query),
    redriveProgress: (call) => many.show(scopeOf(call), call.params.id),
    cancelRedrive: (call) => many.cancel(scopeOf(call), call.params.id),
  };
}

function whoOf(call: { principal: { actor: string }; body: { reason?: string | undefined } }) {
  return { actor: call.principal.actor, reason: call.body.reason?.trim() || null };
}
