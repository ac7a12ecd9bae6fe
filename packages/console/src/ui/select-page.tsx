import type { ReactNode } from "react";
import { useWords } from "../i18n/words.ts";

interface SelectPageProps {
  readonly isPage: boolean;
  readonly isSome: boolean;
  readonly onToggle: () => void;
  /** The number of selected rows, and the actions for them. */
  readonly children?: ReactNode;
}

/** The bar above a list with selectable rows: the box for all rows, then the actions. */
export function SelectPage({ isPage, isSome, onToggle, children }: SelectPageProps) {
  const { jobs: say } = useWords();
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 sm:px-4">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={isPage}
          ref={(box) => {
            if (box) box.indeterminate = !isPage && isSome;
          }}
          onChange={onToggle}
        />
        {say.selectPage}
      </label>
      {children}
    </div>
  );
}

interface SelectRowProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

export function SelectRow({ label, isSelected, onToggle }: SelectRowProps) {
  return (
    <input
      type="checkbox"
      className="size-4 accent-accent"
      aria-label={label}
      checked={isSelected}
      onChange={onToggle}
    />
  );
}
