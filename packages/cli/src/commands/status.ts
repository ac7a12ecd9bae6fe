import type { Answer, Client } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Output } from "../terminal/output.ts";
import { colourOf } from "../terminal/paint.ts";
import { lampWord, queueColumns } from "../terminal/queue-columns.ts";
import { ago, localTime } from "../terminal/times.ts";

export const status = command({
  name: "status",
  says: {
    en: "Shows all queues; with a queue, whether it runs or is stopped, since when and why, and its counts",
    ko: "모든 큐를 보여 줍니다. 큐 하나를 지정하면 정지했는지, 언제 왜 정지했는지, 작업 수를 보여 줍니다",
  },
  example: "andon status {queue} --exit-code",
  given: {
    queue: {
      says: { en: "the queue. Default: all of them", ko: "큐 이름. 기본값: 모든 큐" },
      optional: true,
    },
  },
  options: {
    exitCode: {
      says: {
        en: "end with 10 when a queue is stopped, with 11 when one is degraded",
        ko: "정지된 큐가 있으면 종료 코드 10, 대상 장애인 큐가 있으면 11",
      },
    },
  },
  async run({ given, options, client, out }) {
    const shown =
      given.queue === undefined ? await showAll(client, out) : await showOne(client, given.queue, out);
    return options.exitCode ? exitCodeOf(shown.map(({ state }) => state)) : EXIT.ok;
  },
});

async function showOne(client: Client, queue: string, out: Output): Promise<Overview[]> {
  const overview = await client.queues.overview({ queue });
  // People refer to a job by its ticket, as in the console.
  const failed =
    overview.failedJobId === null || out.isJson
      ? null
      : await client.jobs.show({ id: overview.failedJobId }).then(
          ({ ticket }) => ticket,
          () => overview.failedJobId,
        );
  out.answer(overview, () => viewOf(overview, failed, out));
  return [overview];
}

async function showAll(client: Client, out: Output): Promise<Overview[]> {
  const queues: Overview[] = [];
  for (let page = 1, total = 1; queues.length < total; page++) {
    const found = await client.queues.list({ page, limit: 100 });
    if (found.items.length === 0) break;
    queues.push(...found.items);
    total = found.total;
  }
  out.answer({ queues }, () => out.table(queueColumns(out), queues));
  return queues;
}

function exitCodeOf(states: readonly string[]): number {
  if (states.includes("stopped")) return EXIT.stopped;
  return states.includes("degraded") ? EXIT.degraded : EXIT.ok;
}

type Overview = Answer<(typeof ROUTES)["queues"]["overview"]>;

function viewOf(queue: Overview, failedTicket: string | null, out: Output): string {
  const since = (at: string | null) => at && `${localTime(at)} (${ago(at, out.language)})`;
  return out.list([
    [out.say(WORDS.queue), queue.queue],
    [out.say(WORDS.state), lampWord(queue, out), colourOf(queue.state)],
    [out.say(WORDS.stoppedAt), since(queue.pausedAt)],
    [out.say(WORDS.degradedSince), queue.pausedAt ? null : since(queue.degradedAt)],
    [out.say(WORDS.stopReason), queue.pauseReason],
    [out.say(WORDS.stoppedBy), queue.pausedBy],
    [out.say(WORDS.failedJob), failedTicket],
    [out.say(WORDS.problem), queue.bullmq?.problem ?? null, "red"],
    [out.say(WORDS.stop), queue.stopId],
    [out.say(WORDS.ramp), queue.ramp && rampText(queue.ramp, out)],
    [out.say(WORDS.waiting), queue.waiting],
    [out.say(WORDS.active), queue.active],
    [out.say(WORDS.failed), queue.failed, queue.failed > 0 ? "red" : undefined],
    [out.say(WORDS.completed), queue.completed],
    [out.say(WORDS.delayed), queue.delayed],
    [out.say(WORDS.heldLanes), queue.heldLanes, (queue.heldLanes ?? 0) > 0 ? "yellow" : undefined],
    [out.say(WORDS.nextMade), since(queue.oldestWaitingAt)],
  ]);
}

function rampText({ waves, ...ramp }: NonNullable<Overview["ramp"]>, out: Output): string {
  return out.say(WORDS.rampAt, { ...ramp, of: waves.length });
}
