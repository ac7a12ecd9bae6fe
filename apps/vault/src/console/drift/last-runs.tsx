import { type AuditRow, type Column, Link, Panel, Row, Table, Time } from "@andon/console/room";
import { driftAddress } from "../addresses.ts";
import { useVaultWords } from "../i18n/words.ts";

/** The comparison that a row of the audit log is about. */
export function runOf({ target }: Pick<AuditRow, "target">): string {
  return target.slice("drift:".length);
}

function isWithChecksum({ after }: Pick<AuditRow, "after">): boolean {
  return (after as { checksum?: boolean } | null)?.checksum === true;
}

export function LastRuns({ starts, shown }: { starts: readonly AuditRow[]; shown: string }) {
  const { drift: say, files } = useVaultWords();
  const columns: readonly Column[] = [
    { label: say.startedAt },
    { label: say.by, free: true },
    { label: say.run, wide: true },
    { label: files.actions, silent: true, end: true },
  ];
  const cells = (start: AuditRow) => [
    <div key="at">
      <Time at={start.at} show="absolute" />
      <p className="text-xs text-faint">
        <Time at={start.at} />
      </p>
    </div>,
    start.actor,
    say.how[isWithChecksum(start) ? "checksum" : "sizes"],
    runOf(start) === shown ? (
      <span key="show" className="whitespace-normal text-faint">
        {say.shown}
      </span>
    ) : (
      <Link key="show" row to={driftAddress(runOf(start))}>
        {say.show}
      </Link>
    ),
  ];
  return (
    <Panel title={say.last} hint={say.lastHint}>
      <Table label={say.last} columns={columns}>
        {starts.map((start) => (
          <Row key={start.id} columns={columns} cells={cells(start)} />
        ))}
      </Table>
    </Panel>
  );
}
