import { Panel } from "@andon/console/room";
import type { Task } from "../api.ts";
import { useStudioWords } from "../i18n/words.ts";
import { scriptOf } from "./phase-outputs.ts";

/** The script, scene by scene. Empty until it is written. */
export function ScriptPanel({ task }: { task: Task }) {
  const say = useStudioWords();
  const script = scriptOf(task);
  if (!script) return null;
  return (
    <Panel title={say.script} hint={script.writer && say.writer(script.writer)}>
      <ol className="list-decimal space-y-1 py-3 pr-3 pl-8 sm:pr-4 sm:pl-9" data-script>
        {script.scenes.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: scenes never move, and two may say the same
          <li key={at} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
