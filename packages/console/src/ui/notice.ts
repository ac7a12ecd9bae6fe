import { useSyncExternalStore } from "react";

const SHOWN_MS = 8_000;
/** After this the message disappears; the undo button stays available on the job and in its row. */
const LONGEST_MS = 60_000;

/** A held-back decision, which can still be undone. */
export interface Undoable {
  readonly decisionId: string;
  readonly appliesAt: string;
}

export interface Notice {
  readonly message: string;
  readonly undoable?: Undoable | undefined;
}

let current: Notice | null = null;
let hiding: ReturnType<typeof setTimeout> | undefined;
const readers = new Set<() => void>();

/** Shows a message for a few seconds, or as long as its decision can be undone, up to `LONGEST_MS`. */
export function notify(message: string, undoable?: Undoable): void {
  show({ message, undoable });
  clearTimeout(hiding);
  const left = undoable ? Date.parse(undoable.appliesAt) - Date.now() : SHOWN_MS;
  hiding = setTimeout(hideNotice, Math.min(left, LONGEST_MS));
}

export function hideNotice(): void {
  show(null);
}

export function useNotice(): Notice | null {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => current,
  );
}

function show(notice: Notice | null): void {
  current = notice;
  for (const read of readers) read();
}
