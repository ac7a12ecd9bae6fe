import { JobDecision } from "../job/job-decision.tsx";
import { hasRun, isHead } from "../job/lane-place.ts";
import { QueueDecision } from "../queue/queue-decision.tsx";
import type { ChosenDecision } from "./actions.ts";

interface FollowedDialogProps {
  readonly followed: ChosenDecision;
  readonly onClose: () => void;
}

/** The dialog of a decision chosen in the palette, the same as that of its button. */
export default function FollowedDialog({ followed, onClose }: FollowedDialogProps) {
  if (followed.kind === "queue")
    return <QueueDecision action={followed.action} queue={followed.queue} onClose={onClose} />;
  const { job } = followed;
  const decided = { ...job, hasLane: job.keys.length > 0, isHead: isHead(job), hasRun: hasRun(job) };
  return <JobDecision action={followed.action} job={decided} onClose={onClose} />;
}
