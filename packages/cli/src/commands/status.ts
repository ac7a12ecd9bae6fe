import type { Answer, Client } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { command } from "../kit/command.ts";
import { DEFAULT_QUEUE, queueArgument } from "../kit/common-options.ts";
import { EXIT } from "../kit/exit-codes.ts";
import type { Output } from "../kit/output.ts";
import { colourOf } from "../kit/paint.ts";
import { ago, localTime } from "../kit/times.ts";
import { onOneLine } from "../kit/width.ts";
import { WORDS } from "../words/words.ts";

export const status = command({
  name: "status",
  says: {
    en: "Shows whether a queue runs or is stopped, since when and why, and its five counts",
    ko: "큐가 실행 중인지 정지되었는지, 정지 시각과 사유, 다섯 가지 개수를 보여 줍니다",
  },
  example: "andon status nas-sync --exit-code",
  given: queueArgument,
  options: {
    exitCode: {
      says: { en: "end with 10 when the queue is stopped", ko: "큐가 정지되어 있으면 종료 코드 10" },
    },
  },
  async run({ given, options, client, out }) {
    const queue = given.queue ?? DEFAULT_QUEUE;
    let isStopped: boolean;
    if (out.isJson) {
      const answer = await client.queues.status({ queue });
      out.answer(answer, String);
      isStopped = answer.isPaused;
    } else {
      const overview = await client.queues.overview({ queue });
      out.line(shown(overview, out));
      if (given.queue === undefined) await tellOthers(client, queue, out);
      isStopped = overview.isPaused;
    }
    return options.exitCode && isStopped ? EXIT.stopped : EXIT.ok;
  },
});

/** Who names no queue asks how things stand: another one that stands must not go unsaid. */
async function tellOthers(client: Client, queue: string, out: Output): Promise<void> {
  const others: Overview[] = [];
  for (let page = 1, seen = 0, total = 1; seen < total; page++) {
    const found = await client.queues.list({ page, limit: 100 });
    others.push(...found.items.filter((other) => other.queue !== queue && other.state !== "open"));
    [seen, total] = found.items.length > 0 ? [seen + found.items.length, found.total] : [total, total];
  }
  if (others.length === 0) return;
  const named = others.map((other) => `${onOneLine(other.queue)} (${other.state})`).join(", ");
  out.line(`\n${out.paint("red", out.say(WORDS.othersStand, { queues: named }))}`);
}

type Overview = Answer<(typeof ROUTES)["queues"]["overview"]>;

function shown(queue: Overview, out: Output): string {
  const since = (at: string | null) => at && `${localTime(at)} (${ago(at, out.language)})`;
  return out.list([
    [out.say(WORDS.queue), queue.queue],
    [out.say(WORDS.state), queue.state, colourOf(queue.state)],
    [out.say(WORDS.stoppedAt), since(queue.pausedAt)],
    [out.say(WORDS.degradedSince), queue.pausedAt ? null : since(queue.degradedAt)],
    [out.say(WORDS.stopReason), queue.pauseReason],
    [out.say(WORDS.stoppedBy), queue.pausedBy],
    [out.say(WORDS.failedJob), queue.failedJobId],
    [out.say(WORDS.stop), queue.stopId],
    [out.say(WORDS.waiting), queue.waiting],
    [out.say(WORDS.active), queue.active],
    [out.say(WORDS.failed), queue.failed, queue.failed > 0 ? "red" : undefined],
    [out.say(WORDS.completed), queue.completed],
    [out.say(WORDS.delayed), queue.delayed],
    [out.say(WORDS.heldLanes), queue.heldLanes, (queue.heldLanes ?? 0) > 0 ? "yellow" : undefined],
    [out.say(WORDS.nextMade), since(queue.oldestWaitingAt)],
  ]);
}
