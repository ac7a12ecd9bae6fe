import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";
import { showTop } from "./top-screen.ts";

export const top = command({
  name: "top",
  says: {
    en: "Shows all queues live, with a graph of the last 30 minutes; keys open a queue or a failed job",
    ko: "모든 큐를 실시간으로, 최근 30분 그래프와 함께 보여 줍니다. 키보드로 큐나 실패한 작업을 엽니다",
  },
  example: "andon top",
  async run(use) {
    const { shell, out } = use;
    if (!out.isTerminal || !shell.stdin.isTTY) throw new Failure(EXIT.usage, WORDS.topNeedsTerminal);
    await showTop(use);
    return undefined;
  },
});
