import { useNavigate, useSearch } from "@tanstack/react-router";

export type Search = Readonly<Record<string, string | undefined>>;

/** Filters and the page, as the address has them; changing one keeps the rest and goes back to page one. */
export function useAddress(): { search: Search; page: number; change: (changes: Search) => void } {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const page = Math.max(1, Number.parseInt(search.page ?? "1", 10) || 1);
  const change = (changes: Search) => {
    const next = { ...search, page: undefined, ...changes };
    const given = Object.entries(next).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ to: ".", search: Object.fromEntries(given) as never });
  };
  return { search, page, change };
}
