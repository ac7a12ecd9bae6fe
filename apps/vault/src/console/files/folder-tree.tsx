import { useQuery } from "@andon/console/room";
import { ChevronRight, Folder } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from "react";
import { type ChildFolder, ROOT } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { MOST_IN_TREE, vaultQueries } from "../queries.ts";
import { folderAt, treeKey } from "./tree-keys.ts";

interface FolderTreeProps {
  readonly label: string;
  /** The folder that is open or selected. */
  readonly current: string;
  readonly onPick: (id: string) => void;
  /** This folder and the folders below it cannot be selected. */
  readonly without?: string | undefined;
}

/** A tree of folders. The folders in a folder are loaded when it is opened. */
export function FolderTree({ label, current, onPick, without }: FolderTreeProps) {
  const { files: say } = useVaultWords();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([ROOT]));
  const { data: trail } = useQuery(vaultQueries.trail(current));
  useEffect(() => {
    if (trail) setOpen((before) => new Set([...before, ...trail.map(({ id }) => id)]));
  }, [trail]);
  const toggle = (id: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    const id = folderAt(target as HTMLElement);
    if (id !== undefined) ((target as HTMLElement).closest("[data-twist]") ? toggle : onPick)(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (treeKey(event.key, event.target as HTMLElement, { toggle, pick: onPick })) event.preventDefault();
  };
  return (
    <div role="tree" aria-label={label} onClick={onClick} onKeyDown={onKeyDown} className="p-1">
      <Branch folder={{ id: ROOT, name: say.root }} level={1} tree={{ open, current, without }} />
    </div>
  );
}

interface Tree {
  readonly open: ReadonlySet<string>;
  readonly current: string;
  readonly without: string | undefined;
}

interface BranchProps {
  readonly folder: Pick<ChildFolder, "id" | "name">;
  readonly level: number;
  readonly tree: Tree;
}

function Branch({ folder: { id, name }, level, tree }: BranchProps) {
  const { open, current, without } = tree;
  const isOpen = open.has(id);
  return (
    <div
      role="treeitem"
      data-folder={id}
      aria-level={level}
      aria-expanded={isOpen}
      aria-selected={id === current}
      aria-label={name}
      // The root too: the current folder can be hidden in a closed one.
      tabIndex={id === current || id === ROOT ? 0 : -1}
      className="rounded -outline-offset-2"
    >
      <div
        className={`flex cursor-pointer items-center gap-1 rounded py-1 pr-2 pl-1 hover:bg-raised ${id === current ? "bg-accent-wash font-semibold" : ""}`}
      >
        <span className="shrink-0 p-0.5 text-faint" data-twist>
          <ChevronRight size={14} aria-hidden="true" className={isOpen ? "rotate-90" : ""} />
        </span>
        <Folder size={15} aria-hidden="true" className="shrink-0 text-faint" />
        <span className="min-w-0 truncate">{name}</span>
      </div>
      {isOpen && id !== without && <Branches id={id} level={level + 1} tree={tree} />}
    </div>
  );
}

function Branches({ id, level, tree }: { id: string; level: number; tree: Tree }) {
  const { files: say } = useVaultWords();
  const { data } = useQuery(vaultQueries.foldersIn(id));
  const folders = (data?.children.items ?? []).filter((child) => child.kind === "folder");
  if (folders.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a tree's branches are a group of its items
    <div role="group" className="ml-3 border-l border-line pl-1">
      {folders
        .filter((folder) => folder.id !== tree.without)
        .map((folder) => (
          <Branch key={folder.id} folder={folder} level={level} tree={tree} />
        ))}
      {folders.length === MOST_IN_TREE && <p className="px-2 py-1 text-xs text-faint">{say.treeMore}</p>}
    </div>
  );
}
