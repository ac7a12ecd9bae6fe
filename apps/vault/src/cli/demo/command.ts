import { command, EXIT, Failure } from "@andon/cli/app";
import { DEMO } from "./i18n.ts";

/** The wait before the second attempt; the third waits twice as long. */
const FIRST_WAIT_MS = 1_000;
const FAST_WAIT_MS = 100;

export const demo = command({
  name: "demo",
  says: {
    en: "Plays the whole story in about 20 seconds on a server of its own: files are uploaded, the NAS fails, the queue stops, the alert is sent, a person looks at the cause, the NAS is back, the queue is resumed; leaves nothing behind",
    ko: "전용 서버에서 약 20초 동안 전체 과정을 보여 줍니다: 파일 업로드, NAS 단절, 라인 정지, 알림, 원인 확인, NAS 복구, 라인 재개. 끝나면 아무것도 남기지 않습니다",
  },
  example: "andon demo",
  options: {
    keep: {
      says: {
        en: "keep the server running until Ctrl-C, with a link to its console",
        ko: "Ctrl-C를 누를 때까지 서버를 계속 실행하고 콘솔 링크를 보여 줌",
      },
    },
    fast: { says: { en: "without pauses for reading", ko: "읽을 시간 없이 빠르게" } },
  },
  async run(use) {
    const { options, out, shell } = use;
    if (out.isJson) throw new Failure(EXIT.usage, DEMO.jsonWrong);
    const signal = shell.interruption();
    // The demo loads the whole code of a server; no other command must wait for that.
    const [{ openStage }, { playStory }, { Narrator }] = await Promise.all([
      import("./stage.ts"),
      import("./story.ts"),
      import("./narrator.ts"),
    ]);
    const stage = await openStage(use, { firstWaitMs: options.fast ? FAST_WAIT_MS : FIRST_WAIT_MS });
    try {
      await playStory(stage, new Narrator(stage.use, { isFast: options.fast }));
      if (options.keep) {
        const { url } = await stage.use.client.session.link();
        out.line(out.say(DEMO.kept, { url }));
        await interrupted(signal);
      }
      return EXIT.ok;
    } finally {
      await stage.close();
      out.line(out.say(DEMO.cleaned, { folder: stage.folder }));
    }
  },
});

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
