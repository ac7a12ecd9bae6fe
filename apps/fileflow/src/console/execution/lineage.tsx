import { Fact, Facts, Link, Panel } from "@andon/console/room";
import { executionAddress } from "../addresses.ts";
import type { Execution } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";

/** The executions that this one repeats, or that repeat it. */
export function Lineage({ execution: { retryOf, retriedAs } }: { execution: Execution }) {
  const { execution: say } = useFileflowWords();
  if (retryOf === null && retriedAs === null) return null;
  const link = (id: string) => (
    <Link to={executionAddress(id)}>
      <span className="font-mono text-xs wrap-anywhere">{id}</span>
    </Link>
  );
  return (
    <Panel title={say.lineage}>
      <Facts>
        {retryOf !== null && <Fact name={say.retryOf}>{link(retryOf)}</Fact>}
        {retriedAs !== null && <Fact name={say.retriedAs}>{link(retriedAs)}</Fact>}
      </Facts>
    </Panel>
  );
}
