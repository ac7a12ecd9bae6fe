import type { JobState } from "@andon/contract";
import {
  Ban,
  CheckCheck,
  CircleCheck,
  CircleX,
  Clock,
  Hourglass,
  ListEnd,
  Loader,
  type LucideIcon,
  OctagonPause,
  ParkingCircle,
  SkipForward,
} from "lucide-react";
import type { JobDetail } from "../../api/client.ts";
import type { Words } from "../../i18n/en.ts";
import { type Language, useLanguage } from "../../i18n/language.ts";
import { useWords } from "../../i18n/words.ts";
import { isJobId, WithTickets } from "../../job/job-ticket.tsx";
import { useNow } from "../../ui/now.ts";
import { withLocalTimes } from "../../ui/time.tsx";
import { StateSentence } from "./state-sentence.tsx";

interface Look {
  readonly sign: LucideIcon;
  readonly tone: string;
}

const QUIET = "bg-ground text-soft";
const GOOD = "bg-run-wash text-run-ink";
const BUSY = "bg-accent-wash text-accent";
const BAD = "bg-stop-wash text-stop-ink";
const HAND = "bg-hand-wash text-hand-ink";

/** The sign and colour of every state. The word is always shown too. */
const LOOKS: Record<JobState, Look> = {
  scheduled: { sign: Clock, tone: QUIET },
  blocked: { sign: ListEnd, tone: QUIET },
  ready: { sign: Hourglass, tone: QUIET },
  running: { sign: Loader, tone: BUSY },
  parked: { sign: ParkingCircle, tone: QUIET },
  done: { sign: CircleCheck, tone: GOOD },
  failed: { sign: CircleX, tone: BAD },
  cancelled: { sign: Ban, tone: QUIET },
  skipped: { sign: SkipForward, tone: HAND },
  resolved: { sign: CheckCheck, tone: HAND },
  aborted: { sign: OctagonPause, tone: HAND },
};

export function StateBadge({ state }: { state: JobState }) {
  const words = useWords();
  const { sign: Sign, tone } = LOOKS[state];
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tone}`}
    >
      <Sign size={13} aria-hidden="true" />
      {words.state[state]}
    </span>
  );
}

/** The state of the job in one sentence, and the rule that decides it. */
export function StateView({ job }: { job: JobDetail }) {
  const words = useWords();
  const { job: say } = words;
  const language = useLanguage();
  const now = useNow();
  const isWaiting = ["scheduled", "blocked", "ready", "parked"].includes(job.state);
  return (
    <section
      aria-label={isWaiting ? say.why.waiting : say.why.ended}
      className={`rounded-lg px-4 py-3 ${LOOKS[job.state].tone}`}
    >
      <h2 className="text-xs font-semibold">{isWaiting ? say.why.waiting : say.why.ended}</h2>
      <p className="line-clamp-6 text-base font-medium wrap-anywhere md:line-clamp-3">
        <WithTickets
          text={withLocalTimes(withStateName(job.why, language, words), job.why.facts, now)}
          ids={jobsNamed(job.why.facts)}
        />
      </p>
      <p>
        <StateSentence job={job} />
      </p>
    </section>
  );
}

type Why = JobDetail["why"];

/** The facts of an explanation that may contain the id of another job. */
const NAMES_JOB = ["headJob", "failedJob", "probe", "by"];

function jobsNamed(facts: Why["facts"]): readonly string[] {
  return NAMES_JOB.map((name) => facts[name]).filter(isJobId);
}

/** Replaces the code of the lane head's state by its word. The code is last in the sentence, after any names from callers. */
function withStateName(why: Why, language: Language, { state }: Words): string {
  const sentence = why[language];
  const head = why.facts.headState as JobState | undefined;
  const at = head === undefined ? -1 : sentence.lastIndexOf(head);
  if (head === undefined || at < 0) return sentence;
  return sentence.slice(0, at) + state[head].toLowerCase() + sentence.slice(at + head.length);
}
