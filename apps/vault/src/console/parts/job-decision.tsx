import { Button, type JobDetail, useAllowed, useLiveQuery } from "@andon/console/room";
import { useState } from "react";
import { HeldDecision } from "../held/held-decision.tsx";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";
import { fileOf } from "./file-of-job.ts";

/** If a failed operation holds its file: a button that opens the three choices about the file, with their outcomes. */
export default function JobDecision({ job }: { job: JobDetail }) {
  const { jobPage: say } = useVaultWords();
  const [isOpen, setOpen] = useState(false);
  const maySee = useAllowed({ permission: "files.read" });
  const mayDecide = useAllowed({ permission: "queue.operate" });
  const file = fileOf(job);
  const isAsked = maySee && mayDecide && job.state === "failed" && file !== undefined;
  const status = useLiveQuery({ ...vaultQueries.syncStatus(file?.id ?? ""), enabled: isAsked });
  if (!isAsked || status.data?.queueStatus !== "HELD") return null;
  return (
    <>
      <Button tone="primary" isMain onClick={() => setOpen(true)}>
        {say.decide}
      </Button>
      {isOpen && <HeldDecision fileId={file.id} name={file.name} onClose={() => setOpen(false)} />}
    </>
  );
}
