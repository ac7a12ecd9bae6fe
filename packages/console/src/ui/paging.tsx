import { useWords } from "../i18n/words.ts";
import { Button } from "./button.tsx";

interface PagingProps {
  readonly page: { total: number; page: number; limit: number; more?: true | undefined };
  readonly onPage: (page: number) => void;
  /** The text for the total, if it does not count rows. */
  readonly totalText?: (total: number, more: boolean) => string;
}

/** The paging buttons; nothing if all rows fit on one page. */
export function Paging({ page: { total, page, limit, more }, onPage, totalText }: PagingProps) {
  const { common } = useWords();
  const pages = Math.max(1, Math.ceil(total / limit));
  if (pages === 1 && page === 1 && !more) return null;
  return (
    <nav
      aria-label={common.pageOf(page, pages)}
      className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-2 text-soft"
    >
      <span>{(totalText ?? common.total)(total, more === true)}</span>
      <span className="flex items-center gap-2">
        <Button tone="quiet" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {common.previous}
        </Button>
        {common.pageOf(page, pages)}
        <Button tone="quiet" disabled={page >= pages && !more} onClick={() => onPage(page + 1)}>
          {common.next}
        </Button>
      </span>
    </nav>
  );
}
