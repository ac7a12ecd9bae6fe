import type { Words } from "../i18n/en.ts";
import { useWords } from "../i18n/words.ts";
import { MAIN_KEY } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** Every key of the console. The guide has the same table. */
const SHORTCUTS: readonly (readonly [keys: string, what: keyof Words["keys"]])[] = [
  ["/", "search"],
  ["⌘K · Ctrl K", "palette"],
  ["j", "down"],
  ["k", "up"],
  ["Enter", "open"],
  ["x", "select"],
  ["r", "retry"],
  ["s", "skip"],
  ["p", "pause"],
  ["f", "filter"],
  [MAIN_KEY, "main"],
  ["u", "undo"],
  ["a", "acknowledge"],
  ["z", "snooze"],
  ["⌘Enter · Ctrl Enter", "confirm"],
  ["Esc", "close"],
  ["?", "help"],
];

export function Shortcuts() {
  const { keys } = useWords();
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
      {SHORTCUTS.map(([key, what]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="rounded border border-line-strong px-1.5 text-xs">{key}</kbd>
          </dt>
          <dd>{keys[what]}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Help({ onClose }: { onClose: () => void }) {
  const { shell } = useWords();
  return (
    <Dialog title={shell.help} onClose={onClose}>
      <Shortcuts />
    </Dialog>
  );
}
