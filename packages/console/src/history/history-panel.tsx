import { X } from "lucide-react";
import { Suspense, useMemo } from "react";
import type { Stop } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { lazyPart, loadPart } from "../lazy-page.tsx";
import { useAddress } from "../ui/address.ts";
import { Loaded } from "../ui/loaded.tsx";
import { useNow } from "../ui/now.ts";
import { Panel } from "../ui/panel.tsx";
import { Segment, Segments } from "../ui/segments.tsx";
import { absoluteText } from "../ui/time.tsx";
import type { Shade } from "./draw-chart.ts";
import { type HistoryRange, PRESETS, type PresetName, rangeOf } from "./history-range.ts";

const loadCharts = () => import("./history-charts.tsx");
const Charts = lazyPart(loadCharts);
// Loaded with the code of the page, before the page is shown. The page itself reports a failed load.
loadPart(loadCharts).catch(() => {});

const NEWEST_STOPS = 100;
const MINUTE_MS = 60_000;

/** The history of a queue. The charts are loaded after the page, so that nothing waits for them. */
export function HistoryPanel({ queue }: { queue: string }) {
  const { history: say } = useWords();
  const { search } = useAddress();
  const range = rangeOf(search);
  const query = useLiveQuery(queries.history(queue, range));
  const stops = useLiveQuery(queries.stops(queue, NEWEST_STOPS));
  const decisions = useLiveQuery(queries.audit({ target: `queue:${queue}` }, 1));
  // A current stop grows; updating its shade once a minute is enough.
  const minute = Math.ceil(useNow() / MINUTE_MS) * MINUTE_MS;
  const shades = useMemo(
    () => (stops.data?.items ?? []).map((stop) => shadeOf(stop, minute)),
    [stops.data, minute],
  );
  const place = <div className="skeleton m-4 h-[22rem] rounded bg-line/40" />;
  return (
    <Panel title={say.title} aside={<Ranges range={range} />}>
      {query.data === undefined && !query.error ? (
        place
      ) : (
        <Loaded query={query}>
          {({ points }) => (
            <Suspense fallback={place}>
              <Charts
                queue={queue}
                range={range}
                points={points}
                shades={shades}
                decisions={decisions.data?.items ?? NONE}
              />
            </Suspense>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

const NONE: readonly never[] = [];

function shadeOf({ at, resumedAt, kind }: Stop, now: number): Shade {
  return { from: Date.parse(at), to: resumedAt ? Date.parse(resumedAt) : now, kind };
}

function Ranges({ range }: { range: HistoryRange }) {
  const { history: say } = useWords();
  const { change } = useAddress();
  const now = useNow();
  const choose = (name: PresetName) => change({ range: name, from: undefined, to: undefined });
  const short = (at: number) => absoluteText(at, now).replace(/:00$/, "");
  return (
    <Segments label={say.range}>
      {range.kind === "drawn" && (
        <Segment isChosen onChoose={() => choose("1h")}>
          {short(range.from)} – {short(range.to)}
          <X size={12} aria-hidden="true" />
          <span className="sr-only">{say.leaveRange}</span>
        </Segment>
      )}
      {(Object.keys(PRESETS) as PresetName[]).map((name) => (
        <Segment
          key={name}
          isChosen={range.kind === "preset" && range.name === name}
          onChoose={() => choose(name)}
        >
          {say.presets[name]}
        </Segment>
      ))}
    </Segments>
  );
}
