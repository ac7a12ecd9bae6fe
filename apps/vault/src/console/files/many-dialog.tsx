import { RefusedError } from "@andon/client";
import { DecisionDialog, ProgressBar } from "@andon/console/room";
import { type ReactNode, useState } from "react";
import { useVaultWords } from "../i18n/words.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

interface ManyDialogProps<Item extends Named> {
  readonly items: readonly Item[];
  readonly title: (count: number) => string;
  readonly effects: readonly string[];
  readonly confirm: string;
  readonly act: (item: Item) => Promise<unknown>;
  readonly done: (count: number) => string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/**
 * One decision about many items, carried out one after another. Refused items stay in the dialog with the first reason,
 * and the next try is only about them.
 */
export function ManyDialog<Item extends Named>(props: ManyDialogProps<Item>) {
  const { title, effects, confirm, act, done, onClose, children } = props;
  const { files: say } = useVaultWords();
  // A copy, because the list of the page changes while the items are processed.
  const [all] = useState(props.items);
  const [left, setLeft] = useState(all);
  const [tried, setTried] = useState(0);
  const [refused, setRefused] = useState<readonly Item[]>([]);

  const decide = async () => {
    const failed: Item[] = [];
    let first: unknown;
    setRefused([]);
    for (const [index, item] of left.entries()) {
      setTried(index + 1);
      try {
        await act(item);
      } catch (error) {
        first ??= error;
        failed.push(item);
        // The server did not answer, so it would not answer the next requests either.
        if (!(error instanceof RefusedError)) {
          failed.push(...left.slice(index + 1));
          break;
        }
      }
    }
    setTried(0);
    if (first === undefined) return { message: done(all.length) };
    setLeft(failed);
    setRefused(failed);
    throw first;
  };

  return (
    <DecisionDialog
      title={title(all.length)}
      effects={effects}
      confirm={confirm}
      reason="none"
      decide={decide}
      onClose={onClose}
    >
      {children}
      {tried > 0 && (
        <div role="status">
          <ProgressBar label={title(all.length)} value={tried} max={left.length} />
          <p className="mt-1 text-xs text-soft">{say.many.progress(tried, left.length)}</p>
        </div>
      )}
      {refused.length > 0 && (
        <div>
          <p className="font-medium">{say.many.refused(refused.length, all.length)}</p>
          <ul className="mt-1 max-h-32 list-disc overflow-y-auto pl-5 text-soft">
            {refused.map(({ id, name }) => (
              <li key={id} className="wrap-anywhere">
                {name}
              </li>
            ))}
          </ul>
        </div>
      )}
    </DecisionDialog>
  );
}
