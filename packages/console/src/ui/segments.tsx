import type { ReactNode } from "react";

interface SegmentsProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** A choice among a few options, such as parts of a list or time ranges. */
export function Segments({ label, children }: SegmentsProps) {
  return (
    <fieldset className="flex flex-wrap gap-0.5 rounded-md border border-line bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {children}
    </fieldset>
  );
}

interface SegmentProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function Segment({ isChosen, onChoose, children }: SegmentProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className="flex min-h-6 items-center gap-1 rounded-sm px-2.5 text-xs font-medium text-soft hover:text-ink aria-pressed:bg-control aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:shadow-control"
    >
      {children}
    </button>
  );
}
