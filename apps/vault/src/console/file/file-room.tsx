import {
  Button,
  buttonClass,
  Loaded,
  PageHead,
  useAllowed,
  useLiveQuery,
  useNavigate,
  useParams,
} from "@andon/console/room";
import { Download } from "lucide-react";
import { useState } from "react";
import { contentAddress, folderAddress } from "../addresses.ts";
import type { FileEntry, Item } from "../api.ts";
import { ITEM_ACTIONS, type ItemAction } from "../files/item-actions.tsx";
import { ItemDialog } from "../files/item-dialog.tsx";
import { Trail } from "../files/trail.tsx";
import { HeldDecision } from "../held/held-decision.tsx";
import { useVaultWords } from "../i18n/words.ts";
import { NasLine } from "../nas-line.tsx";
import { vaultQueries } from "../queries.ts";
import { PurgeDialog, RestoreDialog } from "../trash/trash-dialogs.tsx";
import { FileFacts } from "./file-facts.tsx";
import { Standing } from "./nas-state.tsx";
import { Operations } from "./operations.tsx";

export default function FileRoom() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useLiveQuery(vaultQueries.file(id));
  return <Loaded query={query}>{(file) => <FilePage key={file.id} file={file} />}</Loaded>;
}

type Open = ItemAction | "restore" | "purge" | "decide";

/** One file: its state and the reason for it, its facts, and its finished and pending operations on the NAS. */
function FilePage({ file }: { file: FileEntry }) {
  const { file: say } = useVaultWords();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const status = useLiveQuery(vaultQueries.syncStatus(file.id));
  const { id, name, folderId, state } = file;
  const item: Item = { kind: "file", id, name, folderId };
  const close = () => setOpen(undefined);
  return (
    <>
      <Trail folderId={folderId} isWhole />
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="wrap-anywhere">{name}</span>
            {state === "TRASHED" && (
              <span className="rounded bg-warn-wash px-2 py-0.5 text-xs text-warn-ink">{say.inTrash}</span>
            )}
          </span>
        }
      >
        <FileButtons file={file} onOpen={setOpen} />
      </PageHead>
      <NasLine />
      <Standing file={file} status={status.data} onDecide={() => setOpen("decide")} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Operations fileId={id} query={status} />
        <FileFacts file={file} />
      </div>
      {open === "decide" && <HeldDecision fileId={id} name={name} onClose={close} />}
      {open === "restore" && <RestoreDialog item={item} onClose={close} />}
      {open === "purge" && (
        <PurgeDialog item={item} onClose={close} onDone={() => navigate({ to: folderAddress(folderId) })} />
      )}
      {(open === "rename" || open === "move" || open === "trash") && (
        <ItemDialog action={open} item={item} onClose={close} />
      )}
    </>
  );
}

const IN_TRASH = ["restore", "purge"] as const;

function FileButtons({ file, onOpen }: { file: FileEntry; onOpen: (open: Open) => void }) {
  const { file: say, files } = useVaultWords();
  const mayWrite = useAllowed({ permission: "files.write" });
  const words = {
    rename: files.rename,
    move: files.move,
    trash: files.trash,
    restore: say.restore,
    purge: say.purge,
  };
  const actions = file.state === "TRASHED" ? IN_TRASH : ITEM_ACTIONS;
  return (
    <>
      <a href={contentAddress(file.id)} download={file.name} className={buttonClass("plain")}>
        <Download size={15} aria-hidden="true" />
        {files.download}
      </a>
      {mayWrite &&
        actions.map((action) => (
          <Button key={action} tone={action === "purge" ? "stop" : "plain"} onClick={() => onOpen(action)}>
            {words[action]}
          </Button>
        ))}
    </>
  );
}
