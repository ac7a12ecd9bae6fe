import { expect, onTestFinished, test } from "vitest";
import { open } from "../src/index.ts";

async function failureOf(rules: object) {
  const andon = await open("sqlite::memory:");
  onTestFinished(() => andon.close());
  const queue = andon.queue("line", { attempts: 1, timeout: 20, ...rules });
  await queue.work(
    (_job, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
  );
  const { id } = await queue.add("x");
  await expect.poll(async () => (await andon.job(id))?.state).toBe("failed");
  const [attempt] = await andon.attempts(id);
  return { error: (await andon.job(id))?.error, attempt };
}

test.each([
  [{}, { en: "no end after 20 ms", ko: "20ms 안에 끝나지 않았습니다" }],
  [{ timeoutFrom: "progress" }, { en: "no progress for 20 ms", ko: "20ms 동안 진행이 없었습니다" }],
] as const)("a timeout has its message in both languages: %o", async (rules, texts) => {
  const { error, attempt } = await failureOf(rules);
  expect(error).toMatchObject({ code: "TIMEOUT", message: texts.en, texts });
  expect(attempt).toMatchObject({ code: "TIMEOUT", message: texts.en, texts });
});

test("a handler's own message stays as it is", async () => {
  const andon = await open("sqlite::memory:");
  onTestFinished(() => andon.close());
  const queue = andon.queue("line", { attempts: 1 });
  await queue.work(() => {
    throw new Error("디스크가 없습니다");
  });
  const { id } = await queue.add("x");
  await expect.poll(async () => (await andon.job(id))?.state).toBe("failed");
  const error = (await andon.job(id))?.error;
  expect(error?.message).toBe("디스크가 없습니다");
  expect(error).not.toHaveProperty("texts");
});
