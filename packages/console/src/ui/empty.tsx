import { CircleCheck, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  readonly hint?: string;
  /** Default: a tick, because an empty list is usually good. */
  readonly icon?: LucideIcon;
  readonly children?: ReactNode;
}

export function Empty({ title, hint, icon: Icon = CircleCheck, children }: EmptyProps) {
  return (
    <div className="flex items-start gap-4 px-4 py-7 text-soft">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-raised text-faint">
        <Icon size={18} aria-hidden="true" />
      </span>
      <div className="max-w-prose min-w-0">
        <p className="font-semibold text-ink">{title}</p>
        {hint && <p className="text-faint">{hint}</p>}
        {children && <div className="mt-3 flex flex-wrap items-center gap-2">{children}</div>}
      </div>
    </div>
  );
}

/** An empty part of a page, as one line, because the other parts matter more. */
export function NothingHere({ title, hint }: { title: string; hint?: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 px-3 py-2.5 text-soft sm:px-4">
      <CircleCheck size={15} aria-hidden="true" className="text-faint" />
      <span>{title}</span>
      {hint && <span className="text-xs text-faint">{hint}</span>}
    </p>
  );
}

/** A placeholder while content loads, so that the layout does not shift. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="skeleton flex flex-col gap-2 p-4">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={row} className="h-6 rounded-md bg-line" />
      ))}
    </div>
  );
}
