import { useMutation } from "@tanstack/react-query";
import { BadgeCheck } from "lucide-react";
import { api } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { AuditFilters } from "./audit-filter.tsx";
import { auditFilterOf } from "./audit-filter-of.ts";
import { AuditTable } from "./audit-table.tsx";

export default function AuditRoom() {
  const { audit: say } = useWords();
  const { search, page, change, narrow } = useAddress();
  const query = useLiveQuery(queries.audit(auditFilterOf(search), page));
  const mayVerify = useAllowed({ permission: "queue.read", whole: true });
  return (
    <>
      {mayVerify ? <VerifiedHead /> : <PageHead title={say.title} />}
      <AuditFilters search={search} onApply={narrow} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query} rows={8}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                <AuditTable rows={data.items} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
    </>
  );
}

/** The head with the button that makes the server verify the chain of hashes, and the result below it. */
function VerifiedHead() {
  const { audit: say, common } = useWords();
  const verify = useMutation({ mutationFn: () => api().audit.verify() });
  const verdict = verify.data;
  return (
    <>
      <PageHead title={say.title}>
        <Button disabled={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? common.pending : say.verify}
        </Button>
      </PageHead>
      <div role="status" className="min-w-0 empty:hidden">
        {verdict?.holds && (
          <p className="flex flex-wrap items-center gap-x-2 text-run-ink">
            <BadgeCheck size={17} aria-hidden="true" /> {say.holds(verdict.rows)}{" "}
            <span className="font-mono text-xs break-all">
              {say.head} {verdict.head}
            </span>
          </p>
        )}
        {verdict?.broken && (
          <p className="font-medium text-stop-ink">
            {say.broken(verdict.broken.seq)}: {verdict.broken.problem}
          </p>
        )}
      </div>
      {verify.error && <Problem error={verify.error} of="question" />}
    </>
  );
}
