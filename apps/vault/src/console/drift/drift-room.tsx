import { Button, Empty, Loaded, PageHead, useAddress, useAllowed, useLiveQuery } from "@andon/console/room";
import { ScanSearch } from "lucide-react";
import { useState } from "react";
import { useVaultWords } from "../i18n/words.ts";
import { NasLine } from "../nas-line.tsx";
import { vaultQueries } from "../queries.ts";
import { CompareDialog } from "./compare-dialog.tsx";
import { LastRuns, runOf } from "./last-runs.tsx";
import { Run } from "./run.tsx";

/** Comparisons of the store with the cache and the NAS. */
export default function DriftRoom() {
  const { drift: say } = useVaultWords();
  const { search, change } = useAddress();
  const [isStarting, setStarting] = useState(false);
  const query = useLiveQuery(vaultQueries.driftStarts());
  const mayDecide = useAllowed({ permission: "queue.operate", whole: true });
  return (
    <>
      <PageHead title={say.title}>
        {mayDecide && (
          <Button tone="primary" onClick={() => setStarting(true)}>
            {say.start}
          </Button>
        )}
      </PageHead>
      <p className="text-soft">{say.intro}</p>
      <NasLine />
      <Loaded query={query}>
        {({ items }) => {
          const shown = search.run ?? (items[0] && runOf(items[0]));
          if (!shown) {
            return (
              <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
                <Empty title={say.none} hint={say.noneHint} icon={ScanSearch} />
              </section>
            );
          }
          return (
            <>
              <Run key={shown} id={shown} mayDecide={mayDecide} />
              <LastRuns starts={items} shown={shown} />
            </>
          );
        }}
      </Loaded>
      {isStarting && (
        <CompareDialog
          onClose={() => setStarting(false)}
          onStarted={(run) => change({ run, kind: undefined, page: undefined })}
        />
      )}
    </>
  );
}
