import { useState } from "react";
import { focusedRow, useKeys } from "./keyboard.ts";

export interface SelectedRows<Item> {
  /** The selected items, in the order of the list. */
  readonly items: readonly Item[];
  readonly isPage: boolean;
  has(id: string): boolean;
  toggle(id: string): void;
  /** Selects all rows of the page, or none if all are selected. */
  togglePage(): void;
}

/** The selected rows of a page, by their boxes or the key `x`. A row that leaves the list is not selected any more. */
export function useSelectedRows<Item extends { readonly id: string }>(
  rows: readonly Item[],
): SelectedRows<Item> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const items = rows.filter(({ id }) => ids.has(id));
  const isPage = rows.length > 0 && items.length === rows.length;
  const has = (id: string) => ids.has(id);
  const toggle = (id: string) => {
    const next = new Set(items.map((item) => item.id));
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  const togglePage = () => setIds(new Set(isPage ? [] : rows.map(({ id }) => id)));
  useKeys({
    x: () => {
      const id = focusedRow()?.dataset.row;
      if (rows.some((row) => row.id === id)) toggle(id as string);
    },
  });
  return { items, isPage, has, toggle, togglePage };
}
