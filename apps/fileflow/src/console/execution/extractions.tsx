import { Empty, Loaded, Paging, Panel, TextBlock, Time, useLiveQuery, useNumber } from "@andon/console/room";
import { FileText } from "lucide-react";
import { useState } from "react";
import { contentAddress, type Execution, type Extraction } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";

/** What the stages extracted from the object. The page number is not in the address, because the page shows several lists. */
export function Extractions({ execution }: { execution: Execution }) {
  const { execution: say } = useFileflowWords();
  const [page, setPage] = useState(1);
  const query = useLiveQuery(fileflowQueries.extractions(execution.executionId, page));
  return (
    <Panel title={say.extractions}>
      <Loaded query={query}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={say.noExtractions} hint={say.noExtractionsHint} icon={FileText} />
          ) : (
            <>
              <ul className="divide-y divide-line">
                {data.items.map((extraction) => (
                  <li key={extraction.id} className="flex flex-col gap-2 px-3 py-2 sm:px-4">
                    <ExtractionItem extraction={extraction} name={execution.key ?? execution.fileId} />
                  </li>
                ))}
              </ul>
              <Paging page={data} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function ExtractionItem({ extraction, name }: { extraction: Extraction; name: string }) {
  const { execution: say } = useFileflowWords();
  const number = useNumber();
  const { extractionType, stage, method, confidence, text, isCut, ref, mimeType, facts, receivedAt } =
    extraction;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="font-medium">{extractionType}</span>
        <span className="text-xs text-faint">
          {stage} · {method} · {say.confidence(number(Math.round(confidence * 100)))}
        </span>
        <span className="ml-auto text-xs text-faint">
          <Time at={receivedAt} />
        </span>
      </div>
      {mimeType?.startsWith("image/") && (
        <img
          src={contentAddress(extraction.id)}
          alt={say.thumbnail(name)}
          className="max-h-48 max-w-full self-start rounded border border-line"
        />
      )}
      {text !== null && <TextBlock label={say.text} text={text} />}
      <p className="flex flex-wrap gap-x-4 text-xs text-faint">
        {Object.entries(facts).map(([fact, value]) => (
          <span key={fact} className="wrap-anywhere">
            {fact} {typeof value === "string" ? value : JSON.stringify(value)}
          </span>
        ))}
      </p>
      {ref !== null && (
        <p className="text-xs">
          {isCut && <span className="text-warn-ink">{say.isCut} </span>}
          <a
            href={contentAddress(extraction.id)}
            target="_blank"
            rel="noreferrer"
            className="text-accent underline underline-offset-2"
          >
            {say.whole}
          </a>
        </p>
      )}
    </>
  );
}
