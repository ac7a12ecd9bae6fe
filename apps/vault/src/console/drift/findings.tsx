import {
  type Column,
  jobPath,
  Link,
  ListTabs,
  Loaded,
  Paging,
  Panel,
  Row,
  Table,
  useAddress,
  useLiveQuery,
} from "@andon/console/room";
import { fileAddress, findingsAddress } from "../addresses.ts";
import type { DriftKind, DriftRun, Finding } from "../api.ts";
import { useVaultWords } from "../i18n/words.ts";
import { vaultQueries } from "../queries.ts";
import { KINDS } from "./drift-kinds.ts";
import { Found } from "./found-value.tsx";

interface FindingsProps {
  readonly run: DriftRun;
  readonly counts: ReadonlyMap<DriftKind, number>;
}

export function Findings({ run, counts }: FindingsProps) {
  const { drift: say } = useVaultWords();
  const { search, page, change } = useAddress();
  const kind = KINDS.find((each) => each === search.kind);
  const query = useLiveQuery(vaultQueries.findings(run.id, kind, page));
  const columns: readonly Column[] = [
    { label: say.what },
    { label: say.path, free: true },
    { label: say.expected, wide: true, free: true },
    { label: say.found, wide: true, free: true },
    { label: say.repairColumn, wide: true },
  ];
  const cells = (finding: Finding) => [
    <span key="kind" className="whitespace-nowrap">
      {say.kind[finding.kind]}
    </span>,
    <div key="path">
      <FindingPath finding={finding} />
      <p className="text-xs text-soft md:hidden">
        <Repair finding={finding} />
      </p>
    </div>,
    <Found key="expected" value={finding.expected} />,
    <Found key="found" value={finding.found} />,
    <Repair key="repair" finding={finding} />,
  ];
  return (
    <Panel title={say.findings}>
      <KindChoice counts={counts} total={run.findings} kind={kind} />
      <Loaded query={query}>
        {(data) => (
          <>
            <Table label={say.findings} columns={columns}>
              {data.items.map((finding) => (
                <Row key={`${finding.kind} ${finding.path}`} columns={columns} cells={cells(finding)} />
              ))}
            </Table>
            <Paging page={data} onPage={(next) => change({ page: String(next) })} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface KindChoiceProps {
  readonly counts: ReadonlyMap<DriftKind, number>;
  readonly total: number;
  readonly kind: DriftKind | undefined;
}

function KindChoice({ counts, total, kind }: KindChoiceProps) {
  const { drift: say } = useVaultWords();
  const { search } = useAddress();
  const tabs = [
    { asked: undefined, label: say.all, count: total },
    ...KINDS.map((each) => ({ asked: each, label: say.kind[each], count: counts.get(each) ?? 0 })),
  ]
    .filter(({ count }) => count > 0)
    .map(({ asked, label, count }) => ({
      key: asked ?? "all",
      label,
      count,
      to: findingsAddress(search.run, asked),
      isHere: asked === kind,
    }));
  return <ListTabs label={say.what} tabs={tabs} />;
}

function FindingPath({ finding: { path, fileId } }: { finding: Finding }) {
  const text = <span className="path font-mono text-xs">/{path}</span>;
  return fileId === null ? (
    text
  ) : (
    <Link row to={fileAddress(fileId)}>
      {text}
    </Link>
  );
}

function Repair({ finding: { repair, repairedBy } }: { finding: Finding }) {
  const { drift: say } = useVaultWords();
  if (repairedBy === null) return say.repairs[repair];
  if (repair === "REMOVE_TEMPORARY") return say.removed;
  return <Link to={jobPath(repairedBy)}>{say.repaired}</Link>;
}
