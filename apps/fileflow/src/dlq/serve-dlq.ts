import { Conditions, type ServeAll } from "@andon/app";
import type { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { scopeOf } from "../fileflow-context.ts";
import { addTimes } from "../id-times.ts";
import { localReasons } from "../ingest/refusal-reasons.ts";
import { mustBeDead, type RedrivePorts, recordDlq, redriveOne, takeCopy } from "./redrive.ts";
import type { ManyRedrives } from "./redrive-many.ts";
import { refuseSelectionWithPlan } from "./refuse-selection-with-plan.ts";

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
      addTimes(conditions, "d.received_at", { from, to });
      return letters.list(conditions, { page, limit, isSample: sample === "true" }, call.language);
    },
    counts: (call) => letters.counts(scopeOf(call)),
    show: (call) => letters.show(scopeOf(call), call.params.id, call.language),
    async redriveOne(call) {
      const redriven = await redriveOne(ports, scopeOf(call), call.params.id, whoOf(call));
      return { ...redriven, reasons: localReasons(redriven.reasons, call.language) };
    },
    async discard(call) {
      const who = whoOf(call);
      const scope = scopeOf(call);
      const { id } = call.params;
      const source = await store.transaction("dlq-discard", async (tx) => {
        const letter = await letters.lock(tx, scope, id);
        mustBeDead(letter, "discard");
        await tx.query("update fileflow_dlq set state = 'DISCARDED' where id = $1", [id]);
        await letters.trace(tx, id, { event: "DISCARDED", ...who });
        await recordDlq(tx, letter, "dlq.discard", who, "DISCARDED");
        return letter.source;
      });
      figures.count("discards");
      if (source === "SQS") await takeCopy(context, id);
      return { id, state: "DISCARDED" };
    },
    plan: (call) => many.plan(scopeOf(call), call.body, call.principal.actor),
    async redriveMany(call) {
      const { planId, ratePerSecond, reason: _, ...wish } = call.body;
      const scope = scopeOf(call);
      if (planId !== undefined) refuseSelectionWithPlan(wish);
      const plan = planId ?? (await many.plan(scope, wish, call.principal.actor)).planId;
      return many.start(scope, plan, whoOf(call), ratePerSecond);
    },
    redrives: (call) => many.list(scopeOf(call), call.query),
    redriveProgress: (call) => many.show(scopeOf(call), call.params.id),
    cancelRedrive: (call) => many.cancel(scopeOf(call), call.params.id, whoOf(call)),
  };
}

function whoOf(call: { principal: { actor: string }; body: { reason?: string | undefined } }) {
  return { actor: call.principal.actor, reason: call.body.reason?.trim() || null };
}
