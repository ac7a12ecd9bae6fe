import {
  Button,
  Fact,
  Facts,
  Link,
  Loaded,
  PageHead,
  Panel,
  TextBlock,
  Time,
  useAllowed,
  useLiveQuery,
  useNumber,
  useParams,
} from "@andon/console/room";
import { useState } from "react";
import { DLQ, executionAddress } from "../addresses.ts";
import type { DeadLetter } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { LetterMark } from "../marks.tsx";
import { fileflowQueries } from "../queries.ts";
import { type LetterAction, LetterDialog } from "./letter-dialogs.tsx";

/** The actions of each state, as the API allows them. */
const ACTIONS: Readonly<Record<DeadLetter["state"], readonly LetterAction[]>> = {
  DEAD: ["redrive", "discard"],
  QUARANTINED: ["discard"],
  DISCARDED: [],
  REDRIVEN: [],
};

export default function LetterRoom() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useLiveQuery(fileflowQueries.letter(id));
  return <Loaded query={query}>{(letter) => <LetterPage key={letter.id} letter={letter} />}</Loaded>;
}

/** One dead letter: its error, the message as received, and its history since. */
function LetterPage({ letter }: { letter: DeadLetter }) {
  const { dlq: say } = useFileflowWords();
  const [open, setOpen] = useState<LetterAction>();
  const mayOperate = useAllowed({ permission: "dlq.operate" });
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="font-mono">{letter.error}</span>
            <LetterMark state={letter.state} />
          </span>
        }
      >
        <Link to={DLQ}>{say.back}</Link>
        {mayOperate &&
          ACTIONS[letter.state].map((action) => (
            <Button
              key={action}
              tone={action === "discard" ? "stop" : "primary"}
              onClick={() => setOpen(action)}
            >
              {say[action]}
            </Button>
          ))}
      </PageHead>
      {letter.state === "QUARANTINED" && (
        <p className="rounded-lg bg-warn-wash px-4 py-2.5 text-warn-ink">{say.quarantined}</p>
      )}
      <section
        aria-label={say.reasons}
        className="rounded-lg bg-stop-wash px-4 py-2.5 text-stop-ink wrap-anywhere"
      >
        {letter.reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </section>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel title={say.body} {...(letter.isCut ? { hint: say.isCut } : {})}>
          <div className="p-3">
            <TextBlock label={say.body} text={pretty(letter.body)} />
          </div>
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <LetterFacts letter={letter} />
          <Lineage letter={letter} />
        </div>
      </div>
      {open && <LetterDialog action={open} letter={letter} onClose={() => setOpen(undefined)} />}
    </>
  );
}

/** Indented if it is JSON; invalid JSON is shown as received. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function LetterFacts({ letter }: { letter: DeadLetter }) {
  const { dlq: say, common } = useFileflowWords();
  const number = useNumber();
  const path = (text: string | null) => <span className="path">{text ?? "–"}</span>;
  return (
    <Panel title={say.facts}>
      <Facts>
        <Fact name={say.received}>
          <Time at={letter.receivedAt} show="both" />
        </Fact>
        <Fact name={say.source}>{common.letterSource[letter.source]}</Fact>
        <Fact name={say.redrives}>{number(letter.redriveCount)}</Fact>
        <Fact name={say.tenant}>{path(letter.tenantId)}</Fact>
        <Fact name={say.organization}>{path(letter.organizationId)}</Fact>
        <Fact name={say.idempotencyKey}>{path(letter.idempotencyKey)}</Fact>
        <Fact name={say.trace}>{path(letter.traceId)}</Fact>
        {letter.executionId !== null && (
          <Fact name={say.execution}>
            <Link to={executionAddress(letter.executionId)}>{path(letter.executionId)}</Link>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

function Lineage({ letter: { lineage } }: { letter: DeadLetter }) {
  const { dlq: say } = useFileflowWords();
  return (
    <Panel title={say.lineage}>
      <ol className="divide-y divide-line">
        {lineage.map(({ at, event, by, reason, executionId }) => (
          <li key={`${at}/${event}`} className="px-3 py-2 sm:px-4" data-lineage={event}>
            <p className="flex flex-wrap justify-between gap-x-3">
              <span>
                <strong className="font-medium">{say.lineageEvent[event]}</strong> {say.by(by)}
              </span>
              <span className="text-xs text-faint">
                <Time at={at} show="both" />
              </span>
            </p>
            {reason && <p className="text-soft wrap-anywhere">{reason}</p>}
            {executionId && (
              <Link to={executionAddress(executionId)}>
                <span className="font-mono text-xs wrap-anywhere">{executionId}</span>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
