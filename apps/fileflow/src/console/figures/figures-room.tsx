import {
  type Column,
  Fact,
  Facts,
  Loaded,
  PageHead,
  Panel,
  Row,
  Table,
  useLiveQuery,
  useNumber,
} from "@andon/console/room";
import { useFileflowWords } from "../i18n/words.ts";
import { Took } from "../measures.tsx";
import { fileflowQueries } from "../queries.ts";
import { FIGURE_GROUPS, type Figure } from "./figure-groups.ts";
import type { MetricSamples } from "./metric-samples.ts";

const MOST_CODES = 10;

/** The totals of the whole installation since its first start, from `/metrics`. */
export default function FiguresRoom() {
  const { metrics: say } = useFileflowWords();
  const query = useLiveQuery(fileflowQueries.metrics());
  return (
    <>
      <PageHead title={say.title} />
      <p className="max-w-3xl text-soft">{say.intro}</p>
      <Loaded query={query} rows={8}>
        {(samples) => (
          <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
            {FIGURE_GROUPS.map(({ group, figures }) => (
              <Panel key={group} title={say.group[group]}>
                <Facts>
                  {figures.map((figure) => (
                    <Fact key={figure.name} name={say.figure[figure.name]}>
                      <Value figure={figure} samples={samples} />
                    </Fact>
                  ))}
                </Facts>
              </Panel>
            ))}
            <Codes title={say.failures} counts={samples.by("fileflow_failures_total", "code")} />
            <Codes title={say.deadLetters} counts={samples.by("fileflow_dead_letters_total", "error")} />
            <Codes title={say.targets} counts={samples.by("fileflow_published_total", "target")} />
            <div className="md:col-span-2 xl:col-span-3">
              <Stages samples={samples} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Value({ figure, samples }: { figure: Figure; samples: MetricSamples }) {
  const number = useNumber();
  const value = figure.of(samples);
  if (value === undefined) return "–";
  if (figure.unit === "ms") return <Took ms={Math.round(value)} />;
  const text = figure.unit === "share" ? `${(value * 100).toFixed(1)} %` : number(value);
  return <span className={figure.isBad && value > 0 ? "font-semibold text-stop-ink" : ""}>{text}</span>;
}

function Codes({ title, counts }: { title: string; counts: readonly (readonly [string, number])[] }) {
  const { metrics: say } = useFileflowWords();
  const number = useNumber();
  return (
    <Panel title={title}>
      {counts.length === 0 ? (
        <p className="px-3 py-3 text-faint sm:px-4">{say.none}</p>
      ) : (
        <Facts>
          {counts.slice(0, MOST_CODES).map(([code, count]) => (
            <Fact key={code} name={code}>
              {number(count)}
            </Fact>
          ))}
        </Facts>
      )}
    </Panel>
  );
}

/** One row per stage, from the labels `text:completed` and so on. */
function Stages({ samples }: { samples: MetricSamples }) {
  const { metrics: say } = useFileflowWords();
  const number = useNumber();
  const ended = samples.by("fileflow_stages_ended_total", "stage");
  const names = [...new Set(ended.map(([label]) => label.slice(0, label.lastIndexOf(":"))))].sort();
  const count = (name: string, outcome: string) =>
    ended.find(([label]) => label === `${name}:${outcome}`)?.[1] ?? 0;
  const took = (name: string) => {
    const measured = samples.sum("fileflow_stage_duration_count", "stage", name);
    if (measured === 0) return null;
    return Math.round(samples.sum("fileflow_stage_duration_ms_total", "stage", name) / measured);
  };
  const columns: readonly Column[] = [
    { label: say.stage, free: true },
    { label: say.completed, end: true },
    { label: say.skipped, wide: true, end: true },
    { label: say.failed, end: true },
    { label: say.meanTime, end: true },
  ];
  return (
    <Panel title={say.stages}>
      {names.length === 0 ? (
        <p className="px-3 py-3 text-faint sm:px-4">{say.none}</p>
      ) : (
        <Table label={say.stages} columns={columns}>
          {names.map((name) => (
            <Row
              key={name}
              columns={columns}
              cells={[
                name,
                number(count(name, "completed")),
                number(count(name, "skipped")),
                number(count(name, "failed")),
                <Took key="took" ms={took(name)} />,
              ]}
            />
          ))}
        </Table>
      )}
    </Panel>
  );
}
