import { useMutation } from "@tanstack/react-query";
import { BadgeCheck } from "lucide-react";
import type { FormEvent } from "react";
import { api } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAllowed } from "../session/session.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { TextField } from "../ui/field.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { AuditTable } from "./audit-table.tsx";

const FILTERS = ["target", "actor", "action"] as const;

export default function AuditRoom() {
  const { audit: say, common } = useWords();
  const { search, page, change, narrow } = useAddress();
  const filter = Object.fromEntries(FILTERS.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));
  const query = useLiveQuery(queries.audit(filter, page));
  const mayVerify = useAllowed({ permission: "queue.read", whole: true });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    narrow(Object.fromEntries(FILTERS.map((name) => [name, String(form.get(name) ?? "").trim()])));
  };
  return (
    <>
      <PageHead title={say.title} />
      {mayVerify && <Verify />}
      <search>
        <form
          key={JSON.stringify(filter)}
          onSubmit={submit}
          className="grid grid-cols-2 items-end gap-2 rounded-lg border border-line bg-panel p-3 sm:grid-cols-4"
        >
          <TextField
            label={say.target}
            name="target"
            defaultValue={search.target}
            placeholder="queue:mail"
            data-search
          />
          <TextField label={say.actor} name="actor" defaultValue={search.actor} />
          <TextField label={say.action} name="action" defaultValue={search.action} />
          <Button type="submit">{common.apply}</Button>
        </form>
      </search>
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel">
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

/** Asks the server to check the chain of hashes, row by row. */
function Verify() {
  const { audit: say, common } = useWords();
  const verify = useMutation({ mutationFn: () => api().audit.verify() });
  const verdict = verify.data;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={verify.isPending} onClick={() => verify.mutate()}>
        {verify.isPending ? common.pending : say.verify}
      </Button>
      <div role="status" className="min-w-0">
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
    </div>
  );
}
