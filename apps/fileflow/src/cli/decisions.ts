import {
  command,
  EXIT,
  Failure,
  heldBackText,
  isConfirmed,
  needTerminal,
  reasonOption,
  sleep,
  type Use,
} from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { DLQ, PIPELINE } from "./i18n.ts";

const EXAMPLE_ID = "0198c0de-0000-7000-8000-000000000000";
const LOOK_EVERY_MS = 500;
const RETRIED = ["FAILED", "TIMEOUT"] as const;

export const pipelineCancel = command({
  name: "pipeline cancel",
  says: {
    en: "Cancels an execution: a pending one at once, a running one at the next stage boundary",
    ko: "실행을 취소합니다. 대기 중이면 즉시, 실행 중이면 다음 단계 경계에서 멈춥니다",
  },
  example: `andon pipeline cancel ${EXAMPLE_ID} --reason "wrong file"`,
  given: { id: { says: PIPELINE.executionId } },
  options: reasonOption,
  async run({ given: { id }, options: { reason }, clientOf, out }) {
    const answer = await clientOf(FILEFLOW_ROUTES).executions.cancel({ id, reason });
    const isOver = answer.status === "CANCELLED";
    const { pendingDecision: held } = answer;
    out.answer(answer, () =>
      held ? heldBackText(held, out) : out.say(isOver ? PIPELINE.cancelled : PIPELINE.willCancel, { id }),
    );
    return undefined;
  },
});

export const pipelineRetry = command({
  name: "pipeline retry",
  says: {
    en: "Retries failed or timed-out executions: one by its id, several by their ids, or all that match, after asking",
    ko: "실패했거나 시간을 초과한 실행을 재시도합니다. ID로 하나나 여러 건을, 또는 확인을 받은 뒤 조건에 맞는 모두를 재시도합니다",
  },
  example: "andon pipeline retry --error PP-500-IO --from 2026-01-20T00:00:00Z",
  given: { ids: { says: PIPELINE.executionIds, optional: true, many: true } },
  options: {
    status: { says: PIPELINE.filterStatus, value: "status", choices: RETRIED },
    pipeline: { says: PIPELINE.filterPipeline, value: "code" },
    error: { says: PIPELINE.filterError, value: "code" },
    from: { says: PIPELINE.filterFrom, value: "time", time: true },
    to: { says: PIPELINE.filterTo, value: "time", time: true },
    yes: { says: DLQ.yes },
    ...reasonOption,
  },
  async run(use) {
    const { given, options, clientOf, out } = use;
    const { status, pipeline, error, from, to, reason } = options;
    const ids = given.ids ?? [];
    const filter = { status, pipelineCode: pipeline, errorCode: error, from, to };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    if (ids.length === 0 && !isFiltered) throw new Failure(EXIT.usage, PIPELINE.retryWhich);
    if (ids.length > 0 && isFiltered) throw new Failure(EXIT.usage, PIPELINE.retryBoth);
    const { executions } = clientOf(FILEFLOW_ROUTES);
    const [id] = ids;
    if (id !== undefined && ids.length === 1) {
      const answer = await executions.retry({ id, reason });
      const newId = answer.newExecutionId;
      out.answer(answer, () =>
        newId === undefined ? out.say(PIPELINE.resumed, { id }) : out.say(PIPELINE.repeated, { id, newId }),
      );
      return undefined;
    }
    if (isFiltered && !options.yes) {
      needTerminal(use);
      out.aside(await whatMatches(use, filter));
      if (!(await isConfirmed(use))) {
        out.note(PIPELINE.nothingDone);
        return EXIT.refused;
      }
    }
    const which = ids.length > 0 ? { ids: [...ids] } : { filter };
    return follow(use, await executions.retryMany({ ...which, reason }));
  },
});

type Client = Pick<Use, "client" | "clientOf" | "out" | "shell">;
interface Filter {
  readonly status: (typeof RETRIED)[number] | undefined;
  readonly pipelineCode: string | undefined;
  readonly errorCode: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Describes what the filter matches now. With an error code nothing is counted, because the list has no filter for error
 * codes.
 */
async function whatMatches({ clientOf, out }: Client, { errorCode, ...filter }: Filter): Promise<string> {
  const given = [...Object.values(filter), errorCode].filter((value) => value !== undefined);
  const shown = given.join(", ");
  if (errorCode !== undefined) return out.say(PIPELINE.willRetryCode, { filter: shown });
  const { executions } = clientOf(FILEFLOW_ROUTES);
  const statuses = filter.status === undefined ? RETRIED : [filter.status];
  const pages = await Promise.all(statuses.map((status) => executions.list({ ...filter, status, limit: 1 })));
  const count = pages.reduce((sum, { total }) => sum + total, 0);
  return out.say(PIPELINE.willRetry, { filter: shown, count });
}

interface Accepted {
  readonly operationId: string | null;
  readonly total: number;
  readonly done: number;
}

/** Waits for the end of an operation on many executions, with a progress bar. Ctrl-C ends the wait, not the operation. */
async function follow({ client, out, shell }: Client, answer: Accepted): Promise<undefined> {
  if (answer.operationId === null) {
    out.answer(answer, () => out.say(PIPELINE.retriedMany, { done: answer.done, total: answer.total }));
    return;
  }
  const signal = shell.interruption();
  const progress = out.progress(answer.total);
  try {
    for (;;) {
      const operation = await client.operations.show({ id: answer.operationId }, { signal });
      progress.at(operation.done + operation.leftOut.count);
      if (operation.state !== "RUNNING") {
        progress.end();
        const { done, total, leftOut } = operation;
        out.answer(operation, () => {
          const lines = [out.say(PIPELINE.retriedMany, { done, total })];
          if (leftOut.count > 0) lines.push(out.say(PIPELINE.leftOut, { count: leftOut.count }));
          return lines.join("\n");
        });
        return;
      }
      await sleep(LOOK_EVERY_MS, signal);
    }
  } finally {
    progress.end();
    if (signal.aborted) out.note(PIPELINE.goesOn);
  }
}
