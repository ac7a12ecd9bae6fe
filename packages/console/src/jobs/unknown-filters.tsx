import { TriangleAlert } from "lucide-react";
import { useWords } from "../i18n/words.ts";
import type { Search } from "../ui/address.ts";
import { Button } from "../ui/button.tsx";
import { unknownFilters } from "./job-search.ts";

interface UnknownFiltersProps {
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** A warning about invalid filters in a typed or cut address, because the list shown does not match the address. */
export function UnknownFilters({ search, onChange }: UnknownFiltersProps) {
  const { jobs: say } = useWords();
  const unknown = unknownFilters(search);
  if (unknown.length === 0) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-warn-wash px-3 py-2 text-warn-ink"
      data-unknown-filters
    >
      <TriangleAlert size={18} aria-hidden="true" className="shrink-0" />
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {unknown.map((name) => (
          <strong key={name} className="block font-medium">
            {say.unknown(say[name], search[name] ?? "")}
          </strong>
        ))}
        {say.unknownHint}
      </p>
      <Button onClick={() => onChange(Object.fromEntries(unknown.map((name) => [name, undefined])))}>
        {say.unknownClear}
      </Button>
    </div>
  );
}
