import { useWords } from "../i18n/words.ts";
import { useNumber } from "../ui/number.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";

interface Part {
  readonly done: number;
  readonly total: number;
  /** True if only a percentage is known, without a number of items. */
  readonly isShare: boolean;
  /** True if the progress contains nothing else. */
  readonly isAll: boolean;
}

const DRAWN: ReadonlySet<string> = new Set(["done", "total", "percent"]);

/** The progress if it can be drawn: a share, a percentage, or a number of items of a total. */
export function partOf(progress: unknown): Part | undefined {
  if (typeof progress === "number") {
    if (progress < 0 || progress > 100) return undefined;
    return { done: progress, total: progress > 1 ? 100 : 1, isShare: true, isAll: true };
  }
  if (typeof progress !== "object" || progress === null) return undefined;
  const isAll = Object.keys(progress).every((name) => DRAWN.has(name));
  const { done, total, percent } = progress as Record<string, unknown>;
  if (typeof done === "number" && typeof total === "number" && total > 0) {
    return { done, total, isShare: false, isAll };
  }
  return typeof percent === "number" ? { done: percent, total: 100, isShare: true, isAll } : undefined;
}

/** The progress as a bar with its numbers. */
export function JobProgress({ part: { done, total, isShare } }: { part: Part }) {
  const { job: say } = useWords();
  const number = useNumber();
  const percent = `${number((100 * done) / total)} %`;
  return (
    <div>
      <p className="flex justify-between gap-2 pb-1 text-xs">
        <span className="font-semibold text-faint">{say.progress}</span>
        {isShare ? percent : `${say.progressOf(number(done), number(total))} (${percent})`}
      </p>
      <ProgressBar label={say.progress} value={done} max={total} />
    </div>
  );
}
