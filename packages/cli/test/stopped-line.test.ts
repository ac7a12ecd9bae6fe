import { describe, expect, test } from "vitest";
import { andonProcess, startTestServer, until } from "./harness.ts";

interface Upload {
  file: string;
}

/** The words an operator reads in each language. */
const WORDS = {
  en: {
    open: /State +Running/,
    stopped: /Stop reason +NAS_SYNC_FAILED/,
    retried: "The job is queued again.",
    resumed: "The queue goes on.",
    pending: "2 jobs wait.",
  },
  ko: {
    open: /상태 +실행 중/,
    stopped: /정지 사유 +NAS_SYNC_FAILED/,
    retried: "작업이 재시도 큐에 추가되었습니다.",
    resumed: "큐가 재개되었습니다.",
    pending: "대기 작업 2개.",
  },
};

describe("a stopped queue", () => {
  test.each([
    ["sqlite", "ko"],
    ["postgres", "en"],
  ] as const)(
    "is found, understood, mended and let go by the command alone, on %s in %s",
    async (store, lang) => {
      const down = new Set(["b.pdf"]);
      const done: string[] = [];
      const server = await startTestServer(store, {
        queues: {
          "nas-sync": {
            mode: "serial",
            stopReason: "NAS_SYNC_FAILED",
            attempts: 2,
            backoff: { delay: 1 },
            handler: ({ payload }: { payload: Upload }) => {
              if (down.has(payload.file)) throw new Error("ECONNREFUSED: NAS connection refused");
              done.push(payload.file);
            },
          },
        },
      });
      const andon = (...args: string[]) =>
        andonProcess(args, { env: { ...server.env, LANG: lang === "ko" ? "ko_KR.UTF-8" : "en_US.UTF-8" } });
      try {
        for (const file of ["a.pdf", "b.pdf", "c.pdf"])
          await server.client.queues.add({ queue: "nas-sync", payload: { file } });
        await until(async () => (await server.client.queues.status({ queue: "nas-sync" })).isPaused);

        const stopped = await andon("status", "nas-sync", "--exit-code");
        expect(stopped.code).toBe(10);
        expect(stopped.stdout).toMatch(WORDS[lang].stopped);
        expect(done).toEqual(["a.pdf"]);

        const failed = await andon("failed");
        expect(failed.stdout).toContain("ECONNREFUSED: NAS connection refused");
        const ticket = /^(\d+) /m.exec(failed.stdout)?.[1] ?? "";

        down.clear();
        const retried = await andon("retry", ticket, "--reason", "the NAS is back");
        expect(retried).toMatchObject({ code: 0, stderr: "" });
        expect(retried.stdout).toContain(WORDS[lang].retried);
        const resumed = await andon("resume");
        expect(resumed.stdout).toContain(WORDS[lang].pending);
        expect(resumed.code).toBe(0);
        expect(resumed.stdout).toContain(WORDS[lang].resumed);

        await until(async () => done.length === 3);
        expect(done).toEqual(["a.pdf", "b.pdf", "c.pdf"]);
        const open = await andon("status", "nas-sync", "--exit-code");
        expect(open.code).toBe(0);
        expect(open.stdout).toMatch(WORDS[lang].open);
      } finally {
        await server.close();
      }
    },
  );
});
