import type { Store } from "./ports/store.ts";

/** Somebody who waits for what becomes of a write. */
export interface Waiting<Item, Answer> {
  readonly item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** How those of a refused write go again: one after another where their order counts, else all at once. */
export type Alone = "in-order" | "at-once";

/**
 * One write for several who wait; `write` answers each. If it is refused, each goes again by itself, so that one's error
 * is only its own; `takesOver` says that the caller sees to the group instead. Not where the store is away: what was written and only its answer lost would be
 * written twice, so everybody is told.
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
