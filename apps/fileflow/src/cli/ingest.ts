import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { command, EXIT, Failure, type Use } from "@andon/cli/app";
import { FILEFLOW_ROUTES } from "../contract/routes.ts";
import { PIPELINE } from "./i18n.ts";

const STDIN = "-";

export const pipelineIngest = command({
  name: "pipeline ingest",
  says: {
    en: "Sends an object event, in the format of S3, EventBridge or Andon, and says which execution it created",
    ko: "오브젝트 이벤트(자체 스키마, S3 알림, EventBridge)를 보내고 어떤 실행을 만들었는지 알려 줍니다",
  },
  example: "andon pipeline ingest event.json",
  given: { file: { says: PIPELINE.eventFile, optional: true } },
  async run(use) {
    const { given, clientOf, out } = use;
    const event = await eventIn(use, given.file ?? STDIN);
    const answer = await clientOf(FILEFLOW_ROUTES).ingest.events(event);
    const results = "executions" in answer ? answer.executions : [answer];
    out.answer(answer, () =>
      results
        .map((result) =>
          "executionId" in result
            ? out.say(result.created ? PIPELINE.made : PIPELINE.known, { id: result.executionId })
            : out.say(PIPELINE.refused, {
                id: result.dlqId,
                error: result.error,
                reasons: result.reasons.join("; "),
              }),
        )
        .join("\n"),
    );
    return results.some((result) => "error" in result) ? EXIT.refused : EXIT.ok;
  },
});

/** Refuses anything but a JSON object here, because the server would keep it as a dead letter. */
async function eventIn({ shell }: Pick<Use, "shell">, file: string): Promise<object> {
  let written: string;
  try {
    written = await (file === STDIN ? text(shell.stdin) : readFile(resolve(shell.folder, file), "utf8"));
  } catch (error) {
    throw new Failure(EXIT.usage, PIPELINE.unreadable, { file, problem: (error as Error).message });
  }
  let event: unknown;
  try {
    event = JSON.parse(written);
  } catch {
    event = undefined;
  }
  if (typeof event !== "object" || event === null || Array.isArray(event))
    throw new Failure(EXIT.usage, PIPELINE.noJson, { file });
  return event;
}
