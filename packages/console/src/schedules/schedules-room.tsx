import { useState } from "react";
import { api, type Schedule } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { ScheduleTable } from "./schedule-table.tsx";

export default function SchedulesRoom() {
  const { schedules: say } = useWords();
  const { page, change } = useAddress();
  const [open, setOpen] = useState<{ readonly schedule: Schedule; readonly isRun: boolean }>();
  const query = useLiveQuery(queries.schedules(page));
  const mayDecide = useAllowed({ permission: "queue.operate", whole: true });
  const action = (schedule: Schedule) => (
    <span className="flex justify-end gap-1.5 max-md:flex-col">
      <Button aria-label={say.ofRunNow(schedule.name)} onClick={() => setOpen({ schedule, isRun: true })}>
        {say.runNow}
      </Button>
      <Button
        aria-label={(schedule.isActive ? say.ofDeactivate : say.ofActivate)(schedule.name)}
        onClick={() => setOpen({ schedule, isRun: false })}
      >
        {schedule.isActive ? say.deactivate : say.activate}
      </Button>
    </span>
  );
  return (
    <>
      <PageHead title={say.title} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                <ScheduleTable schedules={data.items} action={mayDecide ? action : undefined} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      {open && !open.isRun && <SwitchDialog schedule={open.schedule} onClose={() => setOpen(undefined)} />}
      {open?.isRun && <RunDialog schedule={open.schedule} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function SwitchDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { schedules: say, common } = useWords();
  const { name, isActive } = schedule;
  const title = (isActive ? say.ofDeactivate : say.ofActivate)(name);
  const decide = async (reason: string | undefined) => {
    const input = { name, ...(reason === undefined ? {} : { reason }) };
    await (isActive ? api().schedules.deactivate(input) : api().schedules.activate(input));
    return { message: `${name}: ${isActive ? say.inactive : say.active}` };
  };
  return (
    <DecisionDialog
      title={title}
      effects={[isActive ? say.wontFire : say.willFire, common.nothingElse]}
      confirm={isActive ? say.deactivate : say.activate}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function RunDialog({ schedule: { name, queue }, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { schedules: say, common } = useWords();
  const decide = async (reason: string | undefined) => {
    await api().schedules.runNow({ name, ...(reason === undefined ? {} : { reason }) });
    return { message: say.ran(name) };
  };
  return (
    <DecisionDialog
      title={say.ofRunNow(name)}
      effects={[say.willRun(queue), common.nothingElse]}
      confirm={say.runNow}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}
