import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { lineOfEvent } from "../terminal/event-lines.ts";
import { type FollowOptions, followEvents } from "../terminal/event-stream.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";
import { showBoard } from "./watch-board.ts";

export const watch = command({
  name: "watch",
  says: {
    en: "Shows events live, one per line (with --json one JSON object per line); after a lost connection it continues where it was",
    ko: "이벤트를 실시간으로 한 줄씩 보여 줍니다 (--json이면 한 줄에 JSON 객체 하나). 연결이 끊기면 다시 연결해 이어서 보여 줍니다",
  },
  example: "andon watch {queue}",
  given: {
    queue: { says: { en: "only this queue. Default: all", ko: "이 큐만. 기본값: 전체" }, optional: true },
  },
  options: {
    board: {
      says: {
        en: "show a board of the queues that refreshes itself; needs a terminal",
        ko: "스스로 갱신되는 큐 현황판. 터미널이 필요합니다",
      },
    },
    after: {
      says: {
        en: "begin after the event with this id; 0: from the beginning. Default: now",
        ko: "이 ID의 이벤트 다음부터. 0이면 처음부터. 기본값: 지금",
      },
      value: "id",
      whole: true,
      least: 0,
    },
  },
  async run(use) {
    const { given, options, client, connection, out, shell } = use;
    if (options.board && out.isJson) throw new Failure(EXIT.usage, WORDS.boardHasNoJson);
    if (options.board && !out.isTerminal) throw new Failure(EXIT.usage, WORDS.boardNeedsTerminal);
    // The feed accepts any name: for an unknown queue the command would wait without end.
    if (given.queue !== undefined) await client.queues.status({ queue: given.queue });
    const follow: FollowOptions = {
      queue: given.queue,
      after: options.after === undefined ? undefined : String(options.after),
      signal: shell.interruption(),
      onChange: (state) => out.note(state === "lost" ? WORDS.connectionLost : WORDS.connectionBack),
    };
    if (options.board) return showBoard(use, follow);
    for await (const event of followEvents(connection, follow)) {
      out.line(out.isJson ? jsonLine(event.id, event.data) : lineOfEvent(event, out.paint));
    }
    return undefined;
  },
});

/** The event's JSON with the event's id, which the stream sends separately. An `id` in the JSON, a certificate's, becomes `stopId`. */
function jsonLine(id: string, data: string): string {
  const { id: stopId, ...rest } = JSON.parse(data) as { id?: string };
  return JSON.stringify({ id: Number(id), ...(stopId === undefined ? {} : { stopId }), ...rest });
}
