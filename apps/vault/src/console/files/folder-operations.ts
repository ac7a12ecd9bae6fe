import { onAnotherReader } from "@andon/console/room";
import { useSyncExternalStore } from "react";

/** A rename or move of a folder that was started on this page. */
export interface Followed {
  readonly id: string;
  readonly name: string;
}

let followed: readonly Followed[] = [];
const readers = new Set<() => void>();

export function useFollowed(): readonly Followed[] {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => followed,
  );
}

/** Shows the progress of an operation. A folder without files has no operation (`null`). */
export function followOperation(id: string | null, name: string): void {
  if (id !== null) become([...followed, { id, name }]);
}

export function forgetOperation(id: string): void {
  become(followed.filter((each) => each.id !== id));
}

function become(next: readonly Followed[]): void {
  followed = next;
  for (const read of readers) read();
}

onAnotherReader(() => become([]));
