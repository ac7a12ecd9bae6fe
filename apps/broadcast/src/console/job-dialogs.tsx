import { DecisionDialog, TextField, useNavigate, useNumber, useWords } from "@andon/console/room";
import { useState } from "react";
import { type BulkJob, broadcast, JOBS_ADDRESS } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

export type JobAction = "abort" | "resume" | "change" | "remove";

interface Props {
  readonly job: BulkJob;
  readonly onClose: () => void;
}

/** The decisions about one bulk job, each in a dialog that says what it does. */
export function JobDialog({ action, ...props }: Props & { action: JobAction }) {
  const Shown = DIALOGS[action];
  return <Shown {...props} />;
}

function AbortDialog({ job: { id, title }, onClose }: Props) {
  const say = useBroadcastWords();
  const number = useNumber();
  const decide = async (reason: string | undefined) => {
    const { stopsWithinMs, recorded } = await broadcast().bulkJobs.abort({ id, reason });
    if (!recorded) return { message: say.notRecorded };
    return {
      message: stopsWithinMs > 0 ? say.aborted(number(Math.ceil(stopsWithinMs / 1_000))) : say.abortedAtOnce,
    };
  };
  return (
    <DecisionDialog
      title={say.abortTitle(title)}
      effects={[say.abortEffect, say.abortOther]}
      confirm={say.abort}
      tone="stop"
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function ResumeDialog({ job: { id, title }, onClose }: Props) {
  const say = useBroadcastWords();
  const decide = async (reason: string | undefined) => {
    await broadcast().bulkJobs.resume({ id, reason });
    return { message: say.resumed };
  };
  return (
    <DecisionDialog
      title={say.resumeTitle(title)}
      effects={[say.resumeEffect]}
      confirm={say.resume}
      reason="optional"
      decide={decide}
      onClose={onClose}
    />
  );
}

function ChangeDialog({ job: { id, title, throttle }, onClose }: Props) {
  const say = useBroadcastWords();
  const { common } = useWords();
  const [pause, setPause] = useState(String(throttle.pauseMs));
  const [most, setMost] = useState(throttle.maxPerSecond === null ? "" : String(throttle.maxPerSecond));
  const decide = async (reason: string | undefined) => {
    const given = { pauseMs: Number(pause || 0), maxPerSecond: most === "" ? null : Number(most) };
    await broadcast().bulkJobs.change({ id, throttle: given, reason });
    return { message: say.changed };
  };
  return (
    <DecisionDialog
      title={say.changeTitle(title)}
      effects={[say.changeEffect, common.nothingElse]}
      confirm={say.change}
      reason="optional"
      decide={decide}
      onClose={onClose}
    >
      <TextField
        label={say.pauseMs}
        type="number"
        min={0}
        value={pause}
        onChange={(event) => setPause(event.target.value)}
      />
      <TextField
        label={say.maxPerSecond}
        hint={say.noCeiling}
        type="number"
        min={1}
        value={most}
        onChange={(event) => setMost(event.target.value)}
      />
    </DecisionDialog>
  );
}

function RemoveDialog({ job: { id, title }, onClose }: Props) {
  const say = useBroadcastWords();
  const navigate = useNavigate();
  const decide = async (reason: string | undefined) => {
    await broadcast().bulkJobs.remove({ id, reason });
    return { message: say.removed };
  };
  return (
    <DecisionDialog
      title={say.removeTitle(title)}
      effects={[say.removeEffect]}
      confirm={say.remove}
      tone="stop"
      reason="optional"
      decide={decide}
      onClose={onClose}
      onDone={() => navigate({ to: JOBS_ADDRESS })}
    />
  );
}

const DIALOGS = {
  abort: AbortDialog,
  resume: ResumeDialog,
  change: ChangeDialog,
  remove: RemoveDialog,
} as const;
