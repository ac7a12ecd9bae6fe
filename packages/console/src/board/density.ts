import { useSyncExternalStore } from "react";

/** `compact` shows fifty queues on one screen; `roomy` is easier to read. */
export type Density = "roomy" | "compact";

/** Above this number of rows the default is compact. */
const MOST_ROOMY = 20;

const KEY = "andon.board-rows";
const DENSITIES: readonly Density[] = ["roomy", "compact"];
const readers = new Set<() => void>();
let chosen = DENSITIES.find((density) => density === localStorage.getItem(KEY));

export function chooseDensity(next: Density): void {
  chosen = next;
  localStorage.setItem(KEY, next);
  for (const read of readers) read();
}

/** The reader's choice, else by the number of rows. */
export function useDensity(rows: number): Density {
  const choice = useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => chosen,
  );
  return choice ?? (rows > MOST_ROOMY ? "compact" : "roomy");
}

/** Wide enough for two complete tables side by side. */
const isWide = matchMedia("(min-width: 1700px)");

/** The number of tables: a wide screen has room for two, each with half of the rows. */
export function useTables(rows: number, density: Density): 1 | 2 {
  const wide = useSyncExternalStore(
    (read) => {
      isWide.addEventListener("change", read);
      return () => isWide.removeEventListener("change", read);
    },
    () => isWide.matches,
  );
  return wide && density === "compact" && rows > MOST_ROOMY ? 2 : 1;
}
