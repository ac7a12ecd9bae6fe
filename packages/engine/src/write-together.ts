import type { Store } from "./ports/store.ts";

/** A caller that waits for the result of a write. */
export interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** How the items of a refused write are written again: one after another if their order matters, else all at once. */
export type Alone = "in-order" | "at-once";

/**
 * One write for several callers; `write` returns an answer for each. If it fails, each item is written again by itself,
 * so that an error reaches only its own caller; if `takesOver` returns true, that function handles the group instead.
 * If the store is unavailable, every caller gets the error: the items may be stored although the answer was lost, and
 * would be written twice.
 */
export async function writeTogether<Item, Answer>(
  store: Pick<Store, "isUnavailable">,
  group: readonly Waiting<Item, Answer>[],
  write: (items: readonly Item[]) => Promise<readonly Answer[]>,
  alone: Alone = "in-order",
  takesOver: (error: unknown) => boolean = () => false,
): Promise<void> {
  let answers: readonly Answer[];
  try {
    answers = await write(group.map(({ item }) => item));
  } catch (error) {
    if (takesOver(error)) return;
    if (group.length === 1 || store.isUnavailable(error)) for (const { reject } of group) reject(error);
    else if (alone === "at-once") await Promise.all(group.map((one) => writeTogether(store, [one], write)));
    else for (const one of group) await writeTogether(store, [one], write);
    return;
  }
  for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer);
}
