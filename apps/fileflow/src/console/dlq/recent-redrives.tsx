import {
  Button,
  DecisionDialog,
  Panel,
  Time,
  useAllowed,
  useLiveQuery,
  useNumber,
} from "@andon/console/room";
import { useState } from "react";
import { fileflow, type Redrive } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { RedriveProgress } from "./redrive-progress.tsx";

/** The latest redrives of many; running ones can be stopped. Empty if there was none. */
export function RecentRedrives() {
  const { redrive: say } = useFileflowWords();
  const mayOperate = useAllowed({ permission: "dlq.operate" });
  const [open, setOpen] = useState<Redrive>();
  const { data } = useLiveQuery(fileflowQueries.redrives());
  if (!data || data.items.length === 0) return null;
  return (
    <Panel title={say.recent}>
      <ul className="divide-y divide-line">
        {data.items.map((redrive) => (
          <li key={redrive.redriveId} className="flex flex-wrap items-start gap-3 px-3 py-2 sm:px-4">
            <div className="min-w-0 flex-1">
              <RedriveProgress redrive={redrive} />
              <Started redrive={redrive} />
            </div>
            {mayOperate && redrive.state === "RUNNING" && (
              <Button tone="stop" onClick={() => setOpen(redrive)}>
                {say.stop}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {open && <StopDialog redrive={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
}

function Started({ redrive: { startedAt, startedBy, ratePerSecond } }: { redrive: Redrive }) {
  const { redrive: say } = useFileflowWords();
  const number = useNumber();
  return (
    <p className="text-xs text-faint">
      <Time at={startedAt} show="both" /> · {say.startedBy(startedBy)} · {say.rateOf(number(ratePerSecond))}
    </p>
  );
}

function StopDialog({ redrive: { redriveId }, onClose }: { redrive: Redrive; onClose: () => void }) {
  const { redrive: say } = useFileflowWords();
  const decide = async (reason: string | undefined) => {
    await fileflow().dlq.cancelRedrive({ id: redriveId, reason });
    return { message: say.stopped };
  };
  return (
    <DecisionDialog
      title={say.stopTitle}
      effects={[say.stopEffect]}
      confirm={say.stopTitle}
      tone="stop"
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}
