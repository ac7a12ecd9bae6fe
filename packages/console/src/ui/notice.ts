import { useSyncExternalStore } from "react";

const SHOWN_MS = 8_000;
/** Behind this nobody looks for the button any more; the job and its row have it until the end. */
const LONGEST_MS = 60_000;

/** Something that can still be called off: a decision that is held back. */
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

/** Says what was done, for a few seconds; what can be undone stays as long as it can. */
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
