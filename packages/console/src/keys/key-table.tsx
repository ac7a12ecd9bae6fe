import type { ApiKey } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const { apiKeys: say, queue } = useWords();
  const columns: readonly Column[] = [
    { label: say.name, free: true },
    { label: say.permissions },
    { label: say.tenant, wide: true, free: true },
    { label: say.expires, wide: true },
    { label: say.lastUsed, wide: true },
    { label: queue.actions, silent: true, end: true },
  ];
  const scopeOf = ({ tenantId, organizationId }: ApiKey) =>
    tenantId === null ? say.everyone : [tenantId, organizationId].filter(Boolean).join(" / ");
  const expiryOf = ({ expiresAt }: ApiKey) => (expiresAt ? <Time key="expires" at={expiresAt} /> : say.never);
  const lastUseOf = ({ lastUsedAt }: ApiKey) =>
    lastUsedAt ? <Time key="used" at={lastUsedAt} /> : say.neverUsed;
  const cells = (key: ApiKey) => [
    <div key="name" className="min-w-28">
      <p className="font-medium">{key.name}</p>
      <p className="text-xs text-faint">
        {say.created} <Time at={key.createdAt} /> · {key.createdBy}
      </p>
      <div className="text-xs text-faint md:hidden">
        <p>
          {say.tenant}: {scopeOf(key)}
        </p>
        <p>
          {say.expires}: {expiryOf(key)}
        </p>
        <p>
          {say.lastUsed}: {lastUseOf(key)}
        </p>
      </div>
    </div>,
    <p key="permissions" className="min-w-28 font-mono text-xs">
      {key.permissions.join(" ")}
    </p>,
    scopeOf(key),
    expiryOf(key),
    lastUseOf(key),
    key.revokedAt ? (
      <span key="revoked" className="text-faint">
        {say.revoked} <Time at={key.revokedAt} />
      </span>
    ) : (
      <Button
        key="revoke"
        tone="stop"
        data-row-link
        aria-label={say.revokeTitle(key.name)}
        onClick={() => onRevoke(key)}
      >
        {say.revoke}
      </Button>
    ),
  ];
  return (
    <Table label={say.title} columns={columns}>
      {keys.map((key) => (
        <Row key={key.id} columns={columns} cells={cells(key)} />
      ))}
    </Table>
  );
}
