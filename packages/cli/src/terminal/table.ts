import type { Colour, Paint } from "./paint.ts";
import { cutTo, onOneLine, padTo, widthOf } from "./width.ts";

export interface Column<Row> {
  readonly head: string;
  readonly of: (row: Row) => string | number | null;
  readonly colour?: (row: Row) => Colour | undefined;
  readonly side?: "left" | "right";
  /** Is cut first in a narrow terminal. */
  readonly isLong?: boolean;
  /** Is cut last, because a row says little without it. */
  readonly isKept?: boolean;
  /** Is left out in a narrow terminal, lowest number first: a column that is cut to a few letters says nothing. */
  readonly leaves?: number;
}

const GAP = "  ";
const SHORTEST = 8;

/** Rows in aligned columns. Without a width nothing is cut, because a program reads the output. */
export function table<Row>(
  given: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: { paint: Paint; width: number | undefined },
): string {
  const filled = given.map((column) => {
    const texts = rows.map((row) => onOneLine(String(column.of(row) ?? "-")));
    return { column, texts, width: Math.max(widthOf(column.head), ...texts.map(widthOf)) };
  });
  const shown = width === undefined ? filled : withoutLeaving(filled, width);
  const columns = shown.map(({ column }) => column);
  const cells = rows.map((_, at) => shown.map(({ texts }) => texts[at] as string));
  const widths = shown.map((each) => each.width);
  if (width !== undefined) narrow(columns, widths, width);
  const line = (texts: readonly string[], colour: (index: number) => Colour | undefined) =>
    texts
      .map((text, index) => {
        const fitting = cutTo(text, widths[index] as number);
        const isLast = index === texts.length - 1 && columns[index]?.side !== "right";
        const padded = isLast ? fitting : padTo(fitting, widths[index] as number, columns[index]?.side);
        return paint(colour(index), padded);
      })
      .join(GAP)
      .trimEnd();
  const heads = columns.map(({ head }) => head);
  const lines = cells.map((texts, at) => line(texts, (index) => columns[index]?.colour?.(rows[at] as Row)));
  return [line(heads, () => "bold"), ...lines].join("\n");
}

interface Filled {
  readonly column: Pick<Column<never>, "isLong" | "leaves">;
  readonly width: number;
}

/** Leaves columns out until the rest fits with the long columns at `SHORTEST`. */
function withoutLeaving<One extends Filled>(columns: readonly One[], width: number): readonly One[] {
  const least = columns.reduce(
    (sum, { column, width: own }) => sum + (column.isLong ? Math.min(own, SHORTEST) : own) + GAP.length,
    -GAP.length,
  );
  const leaving = Math.min(...columns.map(({ column }) => column.leaves ?? Number.POSITIVE_INFINITY));
  if (least <= width || leaving === Number.POSITIVE_INFINITY) return columns;
  return withoutLeaving(
    columns.filter(({ column }) => column.leaves !== leaving),
    width,
  );
}

/** Shortens the widest long column until the row fits or all are at `SHORTEST`; then shortens from the last column, kept columns last. */
function narrow(columns: readonly Column<never>[], widths: number[], width: number): void {
  const total = () => widths.reduce((sum, one) => sum + one, 0) + GAP.length * (widths.length - 1);
  const long = columns.flatMap(({ isLong }, index) => (isLong ? [index] : []));
  while (total() > width) {
    const widest = long.reduce<number | undefined>(
      (best, index) => (best === undefined || at(index) > at(best) ? index : best),
      undefined,
    );
    if (widest === undefined || at(widest) <= SHORTEST) break;
    widths[widest] = Math.max(SHORTEST, at(widest) - (total() - width));
  }
  const fromTheEnd = columns.map((_, index) => index).reverse();
  const isKept = (index: number) => columns[index]?.isKept ?? false;
  const order = [...fromTheEnd.filter((index) => !isKept(index)), ...fromTheEnd.filter(isKept)];
  for (const index of order) widths[index] = Math.max(1, at(index) - Math.max(0, total() - width));

  function at(index: number): number {
    return widths[index] as number;
  }
}

/** Pairs of a name and a value, one per line. Pairs without a value are left out. */
export function list(
  pairs: readonly (readonly [
    name: string,
    value: string | number | null | undefined,
    colour?: Colour | undefined,
  ])[],
  paint: Paint,
): string {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const longest = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  return shown
    .map(([name, value, colour]) => {
      return `${paint("dim", padTo(name, longest))}  ${paint(colour, onOneLine(String(value)))}`;
    })
    .join("\n");
}
