import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { queries, useLiveQuery } from "../api/queries.ts";
import { AuditTable } from "../audit/audit-table.tsx";
import { useWords } from "../i18n/words.ts";
import { Empty } from "../ui/empty.tsx";
import { Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";

const NEWEST = 10;

/** People's decisions about the queue itself. They are loaded when the section is opened. */
export function DecisionsOfQueue({ queue }: { queue: string }) {
  const { queue: say } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="group rounded-lg border border-line bg-panel shadow-panel"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex list-none items-center gap-2 px-3 py-2.5 text-base leading-6 font-semibold sm:px-4 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} aria-hidden="true" className="text-faint group-open:rotate-90" />
        {say.decisions}
      </summary>
      {isOpen && <Newest queue={queue} />}
    </details>
  );
}

function Newest({ queue }: { queue: string }) {
  const { queue: say } = useWords();
  const target = `queue:${queue}`;
  const query = useLiveQuery(queries.decisionsAbout(target, NEWEST));
  return (
    <div className="border-t border-line">
      <Loaded query={query} rows={2}>
        {({ items }) =>
          items.length === 0 ? <Empty title={say.decisionsNone} /> : <AuditTable rows={items} />
        }
      </Loaded>
      <p className="border-t border-line px-3 py-2.5 sm:px-4">
        <Link to={`/audit?${new URLSearchParams({ target })}`}>{say.decisionsAll}</Link>
      </p>
    </div>
  );
}
