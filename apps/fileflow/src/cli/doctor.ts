import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Check, CheckInput, Finding } from "@andon/cli/app";
import { shownAddress } from "@andon/contract";
import { openStorage } from "@andon/storage";
import type { FileflowSettings, SqsSettings } from "../contract/settings.ts";
import { FOUND } from "./i18n.ts";

/** Undefined if the settings cannot be read, the app is switched off, or the answering server uses other settings. */
function settingsIn({ settings, isOurStore }: CheckInput) {
  if (!isOurStore || !settings?.apps.some(({ name }) => name === "fileflow")) return undefined;
  const { fileflow, sqs } = settings.ofApps as { fileflow: FileflowSettings; sqs: SqsSettings };
  return { fileflow, sqs, data: settings.data };
}

/** The queue of events and its dead-letter queue, if the settings on this machine name them. */
export const sqs: Check = {
  name: "sqs",
  async run(input) {
    const found = settingsIn(input)?.sqs;
    if (found?.queueUrl === undefined) return [];
    const { waitingIn } = await import("./waiting-in.ts");
    const checkQueue = async (url: string, good: Finding["what"]): Promise<Finding> => {
      const place = shownAddress(url);
      try {
        return { level: "ok", what: good, facts: { place, waiting: await waitingIn(found, url) } };
      } catch (error) {
        const problem = (error as Error).message || (error as Error).name;
        return { level: "bad", what: FOUND.queueAway, facts: { place, problem }, todo: FOUND.queueTodo };
      }
    };
    return [
      await checkQueue(found.queueUrl, FOUND.queueGood),
      found.dlqUrl === undefined
        ? { level: "warn", what: FOUND.dlqNone, todo: FOUND.dlqNoneTodo }
        : await checkQueue(found.dlqUrl, FOUND.dlqGood),
    ];
  },
};

/** The storage of large inputs and outputs, as seen from this machine. Creates nothing. */
export const objects: Check = {
  name: "objects",
  async run(input) {
    const found = settingsIn(input);
    if (!found) return [];
    const { fileflow, data } = found;
    const folder = join(resolve(input.folder, data), "fileflow");
    if (fileflow.objects === undefined && !existsSync(folder))
      return [{ level: "ok", what: FOUND.objectsNew, facts: { place: folder } }];
    try {
      const storage = await openStorage(fileflow.objects ?? `file:${folder}`, { existing: true });
      try {
        const health = await storage.health();
        if (!health.ok) return [away(health.problem.in(input.language))];
        return [{ level: "ok", what: FOUND.objectsGood, facts: { place: storage.place } }];
      } finally {
        await storage.close();
      }
    } catch (error) {
      return [away((error as Error).message)];
    }
  },
};

function away(problem: string): Finding {
  return { level: "bad", what: FOUND.objectsAway, facts: { problem }, todo: FOUND.objectsTodo };
}
