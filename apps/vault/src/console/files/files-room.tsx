import {
  Empty,
  Loaded,
  Paging,
  useAddress,
  useAllowed,
  useLiveQuery,
  useNavigate,
  useParams,
  useSelectedRows,
} from "@andon/console/room";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { folderAddress } from "../addresses.ts";
import { type FolderPage, type Item, ROOT } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { NasLine } from "../nas-line.tsx";
import { vaultQueries } from "../queries.ts";
import { UploadDropZone } from "../uploads/upload-drop-zone.tsx";
import { UploadPanel } from "../uploads/upload-panel.tsx";
import { ChildTable, itemOf } from "./child-table.tsx";
import { FileSearch, SearchScope } from "./file-search.tsx";
import { FolderHead } from "./folder-head.tsx";
import { FolderTree } from "./folder-tree.tsx";
import { FoundFiles } from "./found-files.tsx";
import type { ItemAction } from "./item-actions.tsx";
import { ItemDialog, NewFolderDialog } from "./item-dialog.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { OperationStrips } from "./operation-strips.tsx";
import { SelectedItems } from "./selected-items.tsx";

/** The folder tree on the left, the entries of a folder on the right; dropped files are uploaded to it. */
export default function FilesRoom() {
  const { files: say } = useVaultWords();
  const { folderId = ROOT } = useParams({ strict: false }) as { folderId?: string };
  const { search, page } = useAddress();
  const navigate = useNavigate();
  const isHere = search.in !== "all";
  const query = useLiveQuery(
    vaultQueries.folder(folderId, isHere ? search.text : undefined, isHere ? page : 1),
  );
  return (
    <div className="grid gap-4 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <section
        aria-label={say.tree}
        className="max-h-[70dvh] self-start overflow-y-auto rounded-lg border border-line bg-panel max-lg:hidden"
      >
        <FolderTree
          label={say.tree}
          current={folderId}
          onPick={(id) => void navigate({ to: folderAddress(id) })}
        />
      </section>
      <div className="flex min-w-0 flex-col gap-3">
        <Loaded query={query} rows={8}>
          {(folder) => <Folder key={folder.id} folder={folder} />}
        </Loaded>
      </div>
    </div>
  );
}

type Open = { readonly action: ItemAction; readonly item: Item } | "new-folder";

function Folder({ folder }: { folder: FolderPage }) {
  const { search, narrow } = useAddress();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const mayWrite = useAllowed({ permission: "files.write" });
  const onAction = (action: ItemAction, item: Item) => setOpen({ action, item });
  const close = () => setOpen(undefined);
  // The shown folder is in the trash now; its parent still exists.
  const leave = () => navigate({ to: folderAddress(folder.parentId ?? ROOT) });
  return (
    <>
      <FolderHead
        folder={folder}
        mayWrite={mayWrite}
        onNewFolder={() => setOpen("new-folder")}
        onAction={onAction}
      />
      <NasLine />
      <OperationStrips />
      <UploadPanel />
      <FileSearch search={search} onChange={narrow} />
      {search.in === "all" ? (
        <FoundFiles folderId={folder.id} mayWrite={mayWrite} />
      ) : (
        <UploadDropZone folder={mayWrite ? folder : undefined}>
          <Children folder={folder} onAction={mayWrite ? onAction : undefined} />
        </UploadDropZone>
      )}
      {open === "new-folder" && <NewFolderDialog folder={folder} onClose={close} />}
      {open && open !== "new-folder" && (
        <ItemDialog
          {...open}
          onClose={close}
          onDone={open.action === "trash" && open.item.id === folder.id ? leave : undefined}
        />
      )}
    </>
  );
}

interface ChildrenProps {
  readonly folder: FolderPage;
  readonly onAction: ((action: ItemAction, item: Item) => void) | undefined;
}

function Children({ folder: { id, children }, onAction }: ChildrenProps) {
  const { files: say } = useVaultWords();
  const { search, change } = useAddress();
  const selection = useSelectedRows(children.items.map(itemOf));
  return (
    <section aria-label={say.title} className="min-h-40 rounded-lg border border-line bg-panel shadow-panel">
      <SearchScope search={search} folderId={id} />
      {children.items.length === 0 && search.text ? (
        <NothingFound />
      ) : children.items.length === 0 ? (
        <Empty title={say.empty} hint={onAction ? say.emptyHint : say.emptyReader} icon={FolderOpen} />
      ) : (
        <>
          {onAction && <SelectedItems selection={selection} />}
          <ChildTable
            items={children.items}
            onAction={onAction}
            selection={onAction ? selection : undefined}
          />
          <Paging page={children} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </section>
  );
}
