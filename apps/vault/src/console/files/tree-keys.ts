interface TreeActions {
  readonly toggle: (id: string) => void;
  readonly pick: (id: string) => void;
}

/** The id of the folder whose tree item is or contains this element. */
export function folderAt(target: HTMLElement): string | undefined {
  return target.closest<HTMLElement>("[data-folder]")?.dataset.folder;
}

/**
 * The keys of a tree: up and down move between visible items, right and left open and close, Enter and space select.
 */
export function treeKey(key: string, target: HTMLElement, { toggle, pick }: TreeActions): boolean {
  const item = target.closest<HTMLElement>("[role=treeitem]");
  const tree = target.closest<HTMLElement>("[role=tree]");
  if (!item || !tree) return false;
  const items = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const index = items.indexOf(item);
  const id = folderAt(item) ?? "";
  const isOpen = item.ariaExpanded === "true";
  const keys: Record<string, () => void> = {
    ArrowDown: () => items[index + 1]?.focus(),
    ArrowUp: () => items[index - 1]?.focus(),
    Home: () => items[0]?.focus(),
    End: () => items.at(-1)?.focus(),
    ArrowRight: () => (isOpen ? items[index + 1]?.focus() : toggle(id)),
    ArrowLeft: () => (isOpen ? toggle(id) : parentOf(item)?.focus()),
    Enter: () => pick(id),
    " ": () => pick(id),
  };
  const act = keys[key];
  act?.();
  return act !== undefined;
}

function parentOf(item: HTMLElement): HTMLElement | null | undefined {
  return item.parentElement?.closest<HTMLElement>("[role=treeitem]");
}
