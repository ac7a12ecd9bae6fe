import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { Time } from "../ui/time.tsx";

interface SearchFurtherProps {
  readonly found: { readonly cursor?: string | undefined; readonly searchedTo?: string | undefined };
  readonly onSearch: (cursor: string) => void;
}

/** For a search that has not looked at all jobs: says how far it went, and continues it. */
export function SearchFurther({ found: { cursor, searchedTo }, onSearch }: SearchFurtherProps) {
  const { jobs: say } = useWords();
  if (cursor === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 px-4 py-3 text-soft" data-search-further>
      <p>
        {searchedTo === undefined ? (
          say.notAll
        ) : (
          <>
            {say.searchedTo} <Time at={searchedTo} show="absolute" />
          </>
        )}
      </p>
      <Button onClick={() => onSearch(cursor)}>{say.searchFurther}</Button>
    </div>
  );
}
