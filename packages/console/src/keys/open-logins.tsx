import { useState } from "react";
import { api, type OpenLogin } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Panel } from "../ui/panel.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

/** The open logins of the console, with a button to end each. */
export function OpenLogins() {
  const { apiKeys, queue } = useWords();
  const say = apiKeys.sessions;
  const [open, setOpen] = useState<OpenLogin>();
  const query = useLiveQuery(queries.sessions());
  const columns: readonly Column[] = [
    { label: say.who, free: true },
    { label: say.since, wide: true },
    { label: apiKeys.expires, wide: true },
    { label: queue.actions, silent: true, end: true },
  ];
  const cells = (login: OpenLogin) => [
    login.actor,
    <Time key="since" at={login.createdAt} />,
    <Time key="expires" at={login.expiresAt} />,
    login.isOwn ? (
      <span key="own" className="text-faint">
        {say.own}
      </span>
    ) : (
      <Button
        key="end"
        tone="stop"
        data-row-link
        aria-label={say.endTitle(login.actor)}
        onClick={() => setOpen(login)}
      >
        {say.end}
      </Button>
    ),
  ];
  return (
    <Panel title={say.title}>
      <Loaded query={query}>
        {({ items }) => (
          <Table label={say.title} columns={columns}>
            {items.map((login) => (
              <Row key={login.id} columns={columns} cells={cells(login)} />
            ))}
          </Table>
        )}
      </Loaded>
      {open && <EndLogin login={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
}

function EndLogin({ login: { id, actor }, onClose }: { login: OpenLogin; onClose: () => void }) {
  const { apiKeys, common } = useWords();
  const say = apiKeys.sessions;
  const decide = async () => {
    await api().sessions.end({ id });
    return { message: `${actor}: ${say.ended}` };
  };
  return (
    <DecisionDialog
      title={say.endTitle(actor)}
      effects={[say.endEffect, common.nothingElse]}
      confirm={say.end}
      tone="stop"
      reason="none"
      decide={decide}
      onClose={onClose}
    />
  );
}
