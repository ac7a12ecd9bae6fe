import { useSyncExternalStore } from "react";

const SHOWN_MS = 8_000;

let current: string | null = null;
let hiding: ReturnType<typeof setTimeout> | undefined;
const readers = new Set<() => void>();

/** Says what was done, for a few seconds. */
export function notify(message: string): void {
  show(message);
  clearTimeout(hiding);
  hiding = setTimeout(() => show(null), SHOWN_MS);
}

function show(message: string | null): void {
  current = message;
  for (const read of readers) read();
}

export function Notices() {
  const message = useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => current,
  );
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-20 flex justify-center px-4">
      {message && (
        <p className="rounded-md bg-ink px-4 py-2 text-ground shadow-lg" data-notice>
          {message}
        </p>
      )}
    </div>
  );
}
