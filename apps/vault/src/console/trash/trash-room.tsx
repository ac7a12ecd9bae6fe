import {
  Button,
  type Column,
  Empty,
  Link,
  Loaded,
  PageHead,
  Paging,
  Row,
  type SelectedRows,
  SelectPage,
  SelectRow,
  Table,
  Time,
  useAddress,
  useAllowed,
  useLiveQuery,
  useNow,
  useSelectedRows,
  useWords,
} from "@andon/console/room";
import { File, Folder } from "lucide-react";
import { useState } from "react";
import { fileAddress } from "../addresses.ts";
import type { Trashed } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { NasLine } from "../nas-line.tsx";
import { vaultQueries } from "../queries.ts";
import { Size } from "../size.tsx";
import { PurgeDialog, RestoreDialog, RestoreMany } from "./trash-dialogs.tsx";

type Open =
  | { readonly action: "restore" | "purge"; readonly item: Trashed }
  | { readonly action: "restoreMany"; readonly items: readonly Trashed[] };

/** Deleted items, earliest expiry first. */
export default function TrashRoom() {
  const { trash: say } = useVaultWords();
  const { jobs } = useWords();
  const { page, change } = useAddress();
  const [open, setOpen] = useState<Open>();
  const query = useLiveQuery(vaultQueries.trash(page));
  const mayWrite = useAllowed({ permission: "files.write" });
  const selection = useSelectedRows(query.data?.items ?? []);
  const { items: selected } = selection;
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title={say.title} />
      <NasLine />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                {mayWrite && (
                  <SelectPage
                    isPage={selection.isPage}
                    isSome={selected.length > 0}
                    onToggle={selection.togglePage}
                  >
                    {selected.length > 0 && (
                      <>
                        <span className="font-medium" role="status">
                          {jobs.selected(selected.length)}
                        </span>
                        <span className="ml-auto">
                          <Button onClick={() => setOpen({ action: "restoreMany", items: selected })}>
                            {say.restoreMany(selected.length)}
                          </Button>
                        </span>
                      </>
                    )}
                  </SelectPage>
                )}
                <TrashTable
                  items={data.items}
                  selection={selection}
                  onOpen={mayWrite ? setOpen : undefined}
                />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      {open?.action === "restore" && <RestoreDialog item={open.item} onClose={close} />}
      {open?.action === "restoreMany" && <RestoreMany items={open.items} onClose={close} />}
      {open?.action === "purge" && <PurgeDialog item={open.item} onClose={close} />}
    </>
  );
}

interface TrashTableProps {
  readonly items: readonly Trashed[];
  readonly selection: SelectedRows<Trashed>;
  /** Undefined: the reader may not change anything. */
  readonly onOpen: ((open: Open) => void) | undefined;
}

function TrashTable({ items, selection, onOpen }: TrashTableProps) {
  const { trash: say, files } = useVaultWords();
  const columns: readonly Column[] = [
    ...(onOpen ? [{ label: files.many.box, silent: true }] : []),
    { label: say.name },
    { label: files.size, wide: true, end: true },
    { label: say.deleted, wide: true },
    { label: say.expires, wide: true },
    ...(onOpen ? [{ label: files.actions, silent: true, end: true }] : []),
  ];
  const cells = (item: Trashed) => [
    ...(onOpen
      ? [
          <SelectRow
            key="select"
            label={files.many.select(item.name)}
            isSelected={selection.has(item.id)}
            onToggle={() => selection.toggle(item.id)}
          />,
        ]
      : []),
    <NameCell key="name" item={item} />,
    item.size !== null && <Size key="size" bytes={item.size} />,
    <Time key="deleted" at={item.deletedAt} />,
    <div key="expires">
      <Expiry at={item.expiresAt} />
      <p className="text-xs text-faint">
        <Time at={item.expiresAt} show="absolute" />
      </p>
    </div>,
    onOpen && (
      <div key="actions" className="flex justify-end gap-1.5 max-md:flex-col">
        <Button aria-label={say.ofRestore(item.name)} onClick={() => onOpen({ action: "restore", item })}>
          {say.restore}
        </Button>
        {item.kind === "file" && (
          <Button
            tone="stop"
            aria-label={say.ofPurge(item.name)}
            onClick={() => onOpen({ action: "purge", item })}
          >
            {say.purge}
          </Button>
        )}
      </div>
    ),
  ];
  return (
    <Table label={say.title} columns={columns}>
      {items.map((item) => (
        <Row key={item.id} about={item.id} columns={columns} cells={cells(item)} />
      ))}
    </Table>
  );
}

function NameCell({ item: { kind, id, name, originalPath, expiresAt } }: { item: Trashed }) {
  const { trash: say } = useVaultWords();
  const Sign = kind === "folder" ? Folder : File;
  return (
    <div className="flex min-w-28 items-start gap-2">
      <Sign size={16} aria-label={say.kind[kind]} className="mt-0.5 shrink-0 text-faint" />
      <div className="min-w-0">
        {kind === "file" ? (
          <Link row to={fileAddress(id)}>
            <span className="wrap-anywhere">{name}</span>
          </Link>
        ) : (
          <span className="font-semibold wrap-anywhere">{name}</span>
        )}
        <p className="path text-xs text-faint">
          {say.from} {originalPath}
        </p>
        <p className="text-xs text-faint md:hidden">
          {say.expires} <Expiry at={expiresAt} />
        </p>
      </div>
    </div>
  );
}

/** An expired item still exists, and can be restored, until the next clean-up. */
function Expiry({ at }: { at: string }) {
  const { trash: say } = useVaultWords();
  const now = useNow();
  return Date.parse(at) <= now ? say.expired : <Time at={at} />;
}
