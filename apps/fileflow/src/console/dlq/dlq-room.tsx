import {
  Button,
  Empty,
  Loaded,
  PageHead,
  Paging,
  queryClient,
  useAddress,
  useAllowed,
  useLiveQuery,
  useNumber,
} from "@andon/console/room";
import { SearchX } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { DeadLetter } from "../api.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { fileflowQueries } from "../queries.ts";
import { LetterErrors } from "./letter-errors.tsx";
import { letterSearch } from "./letter-search.ts";
import { LetterSearchLine } from "./letter-search-line.tsx";
import { LetterTable } from "./letter-table.tsx";
import { LetterTabs } from "./letter-tabs.tsx";
import { RecentRedrives } from "./recent-redrives.tsx";
import { RedriveDialog, type RedriveWhich } from "./redrive-dialog.tsx";

/** Dead letters as a list or a random sample, and redrives of many. */
export default function DlqRoom() {
  const { dlq: say } = useFileflowWords();
  const { search, page, change, narrow } = useAddress();
  const asked = letterSearch(search);
  const query = useLiveQuery(fileflowQueries.letters(asked, page));
  const isSample = asked.sample === "true";
  const draw = () => {
    if (isSample) void queryClient.invalidateQueries({ queryKey: ["fileflow", "letters"] });
    else narrow({ sample: "true" });
  };
  return (
    <>
      <PageHead title={say.title}>
        {isSample && (
          <Button tone="quiet" onClick={() => narrow({ sample: undefined })}>
            {say.newest}
          </Button>
        )}
        <Button onClick={draw}>{say.sample}</Button>
      </PageHead>
      <p className="max-w-3xl text-soft">{isSample ? say.sampleHint : say.intro}</p>
      <RecentRedrives />
      <LetterErrors />
      <LetterSearchLine search={search} onChange={narrow} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <LetterTabs search={search} />
        <Loaded query={query}>
          {(data) =>
            data.items.length > 0 ? (
              <Letters letters={data.items} filter={asked}>
                {!isSample && <Paging page={data} onPage={(next) => change({ page: String(next) })} />}
              </Letters>
            ) : Object.keys(asked).length > 0 || page > 1 ? (
              <Empty title={say.noneMatch} hint={say.noneMatchHint} icon={SearchX} />
            ) : (
              <Empty title={say.none} hint={say.noneHint} />
            )
          }
        </Loaded>
      </section>
    </>
  );
}

interface LettersProps {
  readonly letters: readonly DeadLetter[];
  readonly filter: ReturnType<typeof letterSearch>;
  readonly children: ReactNode;
}

/** The list, with a redrive of the selected letters or of all that match. */
function Letters({ letters, filter, children }: LettersProps) {
  const { dlq: say } = useFileflowWords();
  const number = useNumber();
  const mayOperate = useAllowed({ permission: "dlq.operate" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<RedriveWhich>();
  const { error, source, from, to } = filter;
  const select = (id: string, isSelected: boolean) =>
    setSelected(
      (before) => new Set(isSelected ? [...before, id] : [...before].filter((each) => each !== id)),
    );
  // Excludes letters that are no longer DEAD or not on this page, so that none is sent unseen.
  const chosen = letters.filter(({ id, state }) => selected.has(id) && state === "DEAD").map(({ id }) => id);
  return (
    <>
      {mayOperate && (
        <div className="flex flex-wrap justify-end gap-2 border-b border-line px-3 py-2">
          {chosen.length > 0 ? (
            <Button tone="primary" onClick={() => setOpen({ ids: chosen })}>
              {say.redriveSelected(number(chosen.length))}
            </Button>
          ) : (
            <Button onClick={() => setOpen({ filter: { error, source, from, to } })}>
              {say.redriveMatching}
            </Button>
          )}
        </div>
      )}
      <LetterTable letters={letters} selected={selected} onSelect={mayOperate ? select : undefined} />
      {children}
      {open && (
        <RedriveDialog
          which={open}
          onClose={() => setOpen(undefined)}
          onSent={() => setSelected(new Set())}
        />
      )}
    </>
  );
}
