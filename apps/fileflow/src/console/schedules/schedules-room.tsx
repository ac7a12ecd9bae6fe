import {
  Button,
  Empty,
  Loaded,
  PageHead,
  Paging,
  useAddress,
  useAllowed,
  useLiveQuery,
} from "@andon/console/room";
import { CalendarClock } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { NewScheduleDialog } from "./new-schedule-dialog.tsx";
import { type ScheduleAction, ScheduleDialog } from "./schedule-dialogs.tsx";
import { ScheduleTable } from "./schedule-table.tsx";

const READS: readonly ScheduleAction[] = ["preview"];
const OPERATES: readonly ScheduleAction[] = ["preview", "run", "pause", "resume", "remove"];

export default function SchedulesRoom() {
  const { schedules: say } = useFileflowWords();
  const { page, change } = useAddress();
  const [isMaking, setMaking] = useState(false);
  const [open, setOpen] = useState<{ action: ScheduleAction; schedule: Schedule }>();
  const mayOperate = useAllowed({ permission: "pipeline.schedule" });
  const query = useLiveQuery(fileflowQueries.schedules(page));
  const makeButton = mayOperate && (
    <Button tone="primary" onClick={() => setMaking(true)}>
      {say.make}
    </Button>
  );
  return (
    <>
      <PageHead title={say.title}>{makeButton}</PageHead>
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} icon={CalendarClock} />
            ) : (
              <>
                <ScheduleTable
                  schedules={data.items}
                  actions={mayOperate ? OPERATES : READS}
                  onAction={(action, schedule) => setOpen({ action, schedule })}
                />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      {isMaking && <NewScheduleDialog onClose={() => setMaking(false)} />}
      {open && <ScheduleDialog {...open} onClose={() => setOpen(undefined)} />}
    </>
  );
}
