import { useWords } from "../i18n/words.ts";

/** The skeleton of a queue's page while its numbers load: the head with its lamp, the counts, the list below. */
export function QueueSkeleton() {
  const { common } = useWords();
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">{common.loading}</span>
      <div
        aria-hidden="true"
        className="skeleton overflow-hidden rounded-lg border border-line bg-panel shadow-panel"
      >
        <div className="flex items-center gap-5 px-4 py-4">
          <span className="size-16 rounded-full bg-line" />
          <span className="h-6 w-48 rounded bg-line" />
        </div>
        <div className="h-20 border-t border-line" />
        <div className="h-14 border-t border-line" />
      </div>
      <div aria-hidden="true" className="skeleton h-40 rounded-lg border border-line bg-panel shadow-panel" />
    </div>
  );
}
