import { Suspense } from "react";
import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { lazyPart } from "../lazy-page.tsx";
import { Panel } from "../ui/panel.tsx";

const Chart = lazyPart(() => import("./throughput-chart.tsx"));

/** The chart is loaded after the page, so that the lamps do not wait for it. */
export function ThroughputPanel(props: { queues: readonly QueueOverview[] }) {
  const { board } = useWords();
  return (
    <Panel title={board.throughput} hint={board.throughputHint}>
      <Suspense fallback={<div className="h-[190px]" />}>
        <Chart {...props} />
      </Suspense>
    </Panel>
  );
}
