import { useWords } from "../i18n/words.ts";

const ROWS = 8;

/** The skeleton of the board while its queues load: the line about what needs a person, and rows of the same height. */
export function BoardSkeleton() {
  const { common } = useWords();
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">{common.loading}</span>
      <div aria-hidden="true" className="skeleton h-10 rounded-lg bg-panel" />
      <div aria-hidden="true" className="skeleton rounded-lg border border-line bg-panel shadow-panel">
        {Array.from({ length: ROWS }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
          <div key={row} className="flex h-8 items-center gap-3 border-b border-line px-3 last:border-b-0">
            <span className="size-4 rounded-full bg-line" />
            <span className="h-3 w-1/4 rounded bg-line" />
            <span className="ml-auto h-3 w-1/3 rounded bg-line" />
          </div>
        ))}
      </div>
    </div>
  );
}
