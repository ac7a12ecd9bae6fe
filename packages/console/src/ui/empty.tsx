import { CircleCheck, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  readonly hint?: string;
  /** Nothing is there and that is well, unless another sign says otherwise. */
  readonly icon?: LucideIcon;
  readonly children?: ReactNode;
}

export function Empty({ title, hint, icon: Icon = CircleCheck, children }: EmptyProps) {
  return (
    <div className="flex items-start gap-3 px-4 py-6 text-soft">
      <Icon size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-faint" />
      <div>
        <p className="font-medium">{title}</p>
        {hint && <p className="text-faint">{hint}</p>}
        {children}
      </div>
    </div>
  );
}

/** Holds the place of what is still loading, so that nothing jumps. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="skeleton flex flex-col gap-2 p-4">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={row} className="h-5 rounded bg-line" />
      ))}
    </div>
  );
}
