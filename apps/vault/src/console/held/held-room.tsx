import {
  Button,
  type Column,
  Count,
  Empty,
  jobPath,
  Link,
  Loaded,
  PageHead,
  Paging,
  Row,
  Table,
  Time,
  useAddress,
  useAllowed,
  useLiveQuery,
} from "@andon/console/room";
import { useState } from "react";
import { fileAddress } from "../addresses.ts";
import type { HeldFile } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { NasLine } from "../nas-line.tsx";
import { vaultQueries } from "../queries.ts";
import { HeldDecision } from "./held-decision.tsx";

/** Files that wait for a person's decision, longest held first. */
export default function HeldRoom() {
  const { held: say } = useVaultWords();
  const { page, change } = useAddress();
  const [open, setOpen] = useState<HeldFile>();
  const query = useLiveQuery(vaultQueries.held(page));
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
                <HeldTable files={data.items} onOpen={setOpen} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      {open && <HeldDecision fileId={open.fileId} name={open.name} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface HeldTableProps {
  readonly files: readonly HeldFile[];
  readonly onOpen: (file: HeldFile) => void;
}

function HeldTable({ files, onOpen }: HeldTableProps) {
  const { held: say, operation, files: fileWords } = useVaultWords();
  const maySeeFiles = useAllowed({ permission: "files.read" });
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const columns: readonly Column[] = [
    { label: say.file },
    { label: say.operation, wide: true },
    { label: say.since, wide: true },
    { label: say.error, free: true },
    { label: say.behind, wide: true, end: true },
    { label: fileWords.actions, silent: true, end: true },
  ];
  const cells = (file: HeldFile) => [
    <div key="file" className="min-w-24">
      {maySeeFiles ? (
        <Link row to={fileAddress(file.fileId)}>
          <span className="wrap-anywhere">{file.name}</span>
        </Link>
      ) : (
        <span className="font-medium wrap-anywhere">{file.name}</span>
      )}
      <p className="path text-xs text-faint">{file.path}</p>
      <p className="text-xs text-faint md:hidden">
        {operation[file.operation]} · <Time at={file.heldAt} />
      </p>
    </div>,
    <Link key="operation" to={jobPath(file.jobId)}>
      {operation[file.operation]}
    </Link>,
    <Time key="since" at={file.heldAt} />,
    <p key="error" className="min-w-28 wrap-anywhere md:line-clamp-3">
      {file.error}
    </p>,
    <Count key="behind" value={file.waitingBehind} />,
    <Button
      key="decide"
      aria-label={mayDecide ? say.ofDecide(file.name) : say.ofLook(file.name)}
      onClick={() => onOpen(file)}
    >
      {mayDecide ? say.decide : say.look}
    </Button>,
  ];
  return (
    <Table label={say.title} columns={columns}>
      {files.map((file) => (
        <Row key={file.fileId} about={file.fileId} columns={columns} cells={cells(file)} />
      ))}
    </Table>
  );
}
