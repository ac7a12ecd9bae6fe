import { useNavigate, useSearch } from "@tanstack/react-router";
import { pageIn } from "./page-in.ts";

export type Search = Readonly<Record<string, string | undefined>>;

interface Address {
  readonly search: Search;
  readonly page: number;
  /** Changes these values and keeps the others. */
  readonly change: (changes: Search) => void;
  /** Changes filters, and returns to page one. */
  readonly narrow: (filters: Search) => void;
}

/** Filters and pages are stored in the address, so that a view can be shared. */
export function useAddress(): Address {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (changes: Search) => {
    const given = Object.entries({ ...search, ...changes }).filter(([, value]) => value);
    void navigate({ to: ".", search: Object.fromEntries(given) as never });
  };
  const narrow = (filters: Search) => change({ ...filters, page: undefined });
  return { search, page: pageIn(search.page), change, narrow };
}
