import { Suspense } from "react";
import { Panel } from "../kit/panel.tsx";
import { part } from "../part.tsx";
import { useWords } from "../words/words.ts";

const Chart = part(() => import("./throughput-chart.tsx"));

/** The chart comes after the page: the lamps must not wait for it. */
export function ThroughputPanel(props: { queue?: string; queues: readonly string[] }) {
  const { board } = useWords();
  return (
    <Panel title={board.throughput} hint={board.throughputHint}>
      <Suspense fallback={<div className="h-[190px]" />}>
        <Chart {...props} />
      </Suspense>
    </Panel>
  );
}
