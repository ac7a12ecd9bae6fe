import type { StudioSettings } from "../contract/settings.ts";
import type { Executor } from "../phases/executor.ts";
import { logText } from "../tasks/log-lines.ts";
import { writeByChat } from "./chat-writer.ts";
import { writeOffline } from "./offline-writer.ts";
import { MOST_SCENES, type Script, scenesOfText } from "./scenes.ts";

/** Provides the script of a film: the given one, or one from the chat endpoint or the built-in writer. */
export function scriptExecutor({ script }: StudioSettings): Executor {
  const { endpoint } = script;
  return async ({ task, signal, log }): Promise<Script> => {
    if (task.script !== null) {
      const scenes = scenesOfText(task.script);
      if (scenes.length === MOST_SCENES) await log(logText("SCENES_CUT", { most: MOST_SCENES }), "warning");
      return { writer: "given", scenes };
    }
    if (endpoint === undefined)
      return { writer: "built-in", scenes: writeOffline(task.title, task.prompt, task.language) };
    await log(logText("ASKING_MODEL", { model: script.model, host: new URL(endpoint).host }));
    return {
      writer: script.model ?? "chat",
      scenes: await writeByChat({ ...script, endpoint }, task, signal),
    };
  };
}
