import type { ReactNode } from "react";
import { useId } from "react";

interface PanelProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A section of a page with a title. */
export function Panel({ title, hint, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line bg-panel shadow-panel">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-3 py-2.5 sm:px-4">
        <div>
          <h2 id={id} className="text-base leading-6 font-semibold">
            {title}
          </h2>
          {hint && <p className="text-xs text-faint">{hint}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A list of names and values, side by side. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[minmax(5.5rem,auto)_1fr] gap-x-4 gap-y-1.5 px-3 py-3 sm:px-4">
      {children}
    </dl>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{title}</h1>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}
