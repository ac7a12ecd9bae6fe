import type { Store } from "@andon/engine";

/** The tenant and the organisation whose rows a caller may see; null: all. */
export interface CallerScope {
  readonly tenantId: string | null;
  readonly organizationId: string | null;
}

/** One page of a list, as the API shows it. `more`: counting stopped early. */
export interface PageOf<Item> {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly items: Item[];
  readonly more?: true;
}

/** Conditions of one statement with their parameters; `$1` and so on in the order they are added. */
export class Conditions {
  readonly params: unknown[] = [];
  readonly #conditions: string[] = [];

  /** `?` stands for the parameter. */
  add(condition: string, value: unknown): this {
    this.#conditions.push(condition.replace("?", this.param(value)));
    return this;
  }

  addText(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** Only rows with this text in one of these columns; upper and lower case are equal. */
  containing(columns: readonly string[], text: string): this {
    const wanted = this.param(text.toLowerCase());
    const found = columns.map((column) => `replace(lower(${column}), ${wanted}, '') <> lower(${column})`);
    return this.addText(`(${found.join(" or ")})`);
  }

  /** Only rows in this scope, of a table that has `tenant_id` and `organization_id`. */
  within({ tenantId, organizationId }: CallerScope, table: string): this {
    if (tenantId !== null) this.add(`${table}.tenant_id = ?`, tenantId);
    if (organizationId !== null) this.add(`${table}.organization_id = ?`, organizationId);
    return this;
  }

  /** One more parameter that is no condition; returns its placeholder. */
  param(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  get where(): string {
    return this.#conditions.length === 0 ? "" : `where ${this.#conditions.join(" and ")}`;
  }
}

/** The highest count: counting stops here. */
const MOST_COUNTED = 10_000;

/** One page of rows, newest first or as `order` says, with a count that stops early. */
export async function pageOfRows<Row, Item>(
  store: Store,
  { columns, from, order }: { columns: string; from: string; order: string },
  conditions: Conditions,
  { page, limit }: { page: number; limit: number },
  shown: (row: Row) => Item,
): Promise<PageOf<Item>> {
  const { where } = conditions;
  const [count] = await store.scan<{ total: number }>(
    `select count(*) as total from (select 1 ${from} ${where} limit ${MOST_COUNTED + 1}) as counted`,
    conditions.params,
  );
  const total = Number(count?.total ?? 0);
  const rows = await store.scan<Row>(
    `select ${columns} ${from} ${where} order by ${order} limit ${conditions.param(limit)} offset ${conditions.param((page - 1) * limit)}`,
    conditions.params,
  );
  const more = total > MOST_COUNTED ? { more: true as const } : {};
  return { total: Math.min(total, MOST_COUNTED), page, limit, items: rows.map(shown), ...more };
}
