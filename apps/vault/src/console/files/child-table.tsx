import { type Column, Link, Row, type SelectedRows, SelectRow, Table, Time } from "@andon/console/room";
import { File, Folder } from "lucide-react";
import { fileAddress, folderAddress } from "../addresses.ts";
import { type Child, type Item, onNas } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { Size } from "../size.tsx";
import { SyncMark } from "../sync-mark.tsx";
import { type ItemAction, ItemActions } from "./item-actions.tsx";

interface ChildTableProps {
  readonly items: readonly Child[];
  readonly onAction: ((action: ItemAction, item: Item) => void) | undefined;
  /** Undefined: nothing can be selected. */
  readonly selection: SelectedRows<Item> | undefined;
}

export function itemOf(child: Child): Item {
  const { kind, id, name } = child;
  return { kind, id, name, folderId: child.kind === "file" ? child.folderId : child.parentId };
}

/** The entries of a folder. On a phone, the page of a file shows what the table leaves out. */
export function ChildTable({ items, onAction, selection }: ChildTableProps) {
  const { files: say } = useVaultWords();
  const columns: readonly Column[] = [
    ...(selection ? [{ label: say.many.box, silent: true }] : []),
    { label: say.name },
    { label: say.size, wide: true, end: true },
    { label: say.changed, wide: true },
    { label: say.state },
    { label: say.actions, silent: true, end: true, wide: true },
  ];
  const cells = (child: Child) => [
    ...(selection
      ? [
          <SelectRow
            key="select"
            label={say.many.select(child.name)}
            isSelected={selection.has(child.id)}
            onToggle={() => selection.toggle(child.id)}
          />,
        ]
      : []),
    <NameCell key="name" child={child} />,
    child.kind === "file" && <Size key="size" bytes={child.size} />,
    child.kind === "file" && <Time key="changed" at={child.updatedAt} />,
    child.kind === "file" && <SyncMark key="state" status={child.queueStatus} nas={onNas(child)} />,
    <ItemActions key="actions" item={itemOf(child)} onAction={onAction} />,
  ];
  return (
    <Table label={say.title} columns={columns}>
      {items.map((child) => (
        <Row
          key={child.id}
          about={child.id}
          columns={columns}
          cells={cells(child)}
          isSelected={selection?.has(child.id) ?? false}
        />
      ))}
    </Table>
  );
}

function NameCell({ child }: { child: Child }) {
  const { kind, id, name } = child;
  const Sign = kind === "folder" ? Folder : File;
  return (
    <div className="flex min-w-32 items-start gap-2">
      <Sign size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-faint" />
      <div className="min-w-0">
        <Link row to={kind === "folder" ? folderAddress(id) : fileAddress(id)}>
          <span className={`wrap-anywhere ${kind === "folder" ? "font-semibold" : "font-medium"}`}>
            {name}
          </span>
        </Link>
        {child.kind === "file" && (
          <p className="text-xs text-faint md:hidden">
            <Size bytes={child.size} /> · <Time at={child.updatedAt} />
          </p>
        )}
      </div>
    </div>
  );
}
