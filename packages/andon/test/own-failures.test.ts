import { expect, onTestFinished, test } from "vitest";
import { open } from "../src/index.ts";

async function failureOf(rules: object, language?: "en" | "ko") {
  const andon = await open("sqlite::memory:", { language });
  onTestFinished(() => andon.close());
  const queue = andon.queue("line", { attempts: 1, timeout: 20, ...rules });
  await queue.work(
    (_job, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
  );
  const { id } = await queue.add("x");
  await expect.poll(async () => (await andon.job(id))?.state).toBe("failed");
  return (await andon.job(id))?.error;
}

test.each([
  [{}, undefined, "no end after 20 ms"],
  [{ timeoutFrom: "progress" }, "en", "no progress for 20 ms"],
  [{}, "ko", "20ms 안에 끝나지 않았습니다"],
  [{ timeoutFrom: "progress" }, "ko", "20ms 동안 진행이 없었습니다"],
] as const)(
  "a job that took too long says so in the language of the process: %o %s",
  async (rules, language, message) => {
    expect(await failureOf(rules, language)).toMatchObject({ code: "TIMEOUT", message });
  },
);
