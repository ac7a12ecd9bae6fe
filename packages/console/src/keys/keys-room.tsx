import { useState } from "react";
import { type ApiKey, api } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { useAddress } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { Empty } from "../ui/empty.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Paging } from "../ui/paging.tsx";
import { PageHead } from "../ui/panel.tsx";
import { KeyTable } from "./key-table.tsx";
import { NewKey } from "./new-key.tsx";
import { OpenLogins } from "./open-logins.tsx";

export default function KeysRoom() {
  const { apiKeys: say } = useWords();
  const { page, change } = useAddress();
  const [open, setOpen] = useState<ApiKey | "new">();
  const query = useLiveQuery(queries.keys(page));
  return (
    <>
      <PageHead title={say.title}>
        <Button tone="primary" onClick={() => setOpen("new")}>
          {say.create}
        </Button>
      </PageHead>
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Loaded query={query}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={say.none} hint={say.noneHint} />
            ) : (
              <>
                <KeyTable keys={data.items} onRevoke={setOpen} />
                <Paging page={data} onPage={(next) => change({ page: String(next) })} />
              </>
            )
          }
        </Loaded>
      </section>
      <OpenLogins />
      {open === "new" && <NewKey onClose={() => setOpen(undefined)} />}
      {open && open !== "new" && <Revoke apiKey={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Revoke({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { apiKeys: say, common } = useWords();
  const decide = async () => {
    await api().keys.revoke({ id });
    return { message: `${name}: ${say.revoked}` };
  };
  return (
    <DecisionDialog
      title={say.revokeTitle(name)}
      effects={[say.revokeEffect, common.nothingElse]}
      confirm={say.revoke}
      tone="stop"
      reason="none"
      decide={decide}
      onClose={onClose}
    />
  );
}
