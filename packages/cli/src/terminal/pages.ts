import { WORDS } from "../i18n/words.ts";
import type { Output } from "./output.ts";
import type { Column } from "./table.ts";

interface Page<Row> {
  readonly total: number;
  readonly page: number;
  readonly items: readonly Row[];
  readonly more?: true | undefined;
}

/** Writes a page of a list, with a note if there are other pages. */
export function showPage<Row>(out: Output, page: Page<Row>, columns: readonly Column<Row>[]): void {
  out.answer(page, () => [out.table(columns, page.items), ...pageNote(out, page)].join("\n"));
}

/** The note with the page and the number of rows; none if the page has all rows. */
export function pageNote(out: Output, page: Page<unknown>): string[] {
  if (page.items.length === page.total && !page.more) return [];
  const facts = { page: page.page, shown: page.items.length, total: page.total };
  return [out.paint("dim", out.say(page.more ? WORDS.pageMore : WORDS.page, facts))];
}
