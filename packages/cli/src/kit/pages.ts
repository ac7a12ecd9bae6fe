import { WORDS } from "../words/words.ts";
import type { Output } from "./output.ts";
import type { Column } from "./table.ts";

interface Page<Row> {
  readonly total: number;
  readonly page: number;
  readonly items: readonly Row[];
  readonly more?: true | undefined;
}

/** A page of a list; where there are others, a line says so. */
export function showPage<Row>(out: Output, page: Page<Row>, columns: readonly Column<Row>[]): void {
  out.answer(page, () => {
    const rows = out.table(columns, page.items);
    if (page.items.length === page.total && !page.more) return rows;
    const facts = { page: page.page, shown: page.items.length, total: page.total };
    return `${rows}\n${out.paint("dim", out.say(page.more ? WORDS.pageMore : WORDS.page, facts))}`;
  });
}
