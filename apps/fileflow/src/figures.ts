import type { Store } from "@andon/engine";

const FLUSH_MS = 2_000;

/**
 * Counters of this app over all processes and restarts. They are summed here and written to the store at intervals, so that
 * any process can show the metrics of the whole fleet. Counts that a killed process had not written are lost.
 */
export class Figures {
  readonly #store: Store;
  readonly #added = new Map<string, { name: string; label: string; value: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  count(name: string, label = "", by = 1): void {
    if (by === 0) return;
    const key = `${name}\n${label}`;
    const known = this.#added.get(key) ?? { name, label, value: 0 };
    known.value += by;
    this.#added.set(key, known);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), FLUSH_MS).unref();
  }

  /** Adds a duration: its sum and a count. */
  time(name: string, label: string, ms: number): void {
    this.count(`${name}_ms`, label, Math.max(0, ms));
    this.count(`${name}_count`, label);
  }

  /** Counts an accepted event: it has created an execution, or was already known. */
  taken(event: { readonly occurredAt: number | null }, { created }: { readonly created: boolean }): void {
    this.count("consumed", "ok");
    if (!created) return;
    this.count("created");
    if (event.occurredAt !== null) this.time("creation_delay", "", Date.now() - event.occurredAt);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#added.values()].sort((a, b) => (a.name + a.label < b.name + b.label ? -1 : 1));
    this.#added.clear();
    if (rows.length === 0) return;
    const values = rows.map((_, at) => `($${at * 3 + 1}, $${at * 3 + 2}, $${at * 3 + 3})`).join(", ");
    await this.#store.transaction("fileflow-figures", (tx) =>
      tx.query(
        `insert into fileflow_counters (name, label, value) values ${values}
         on conflict (name, label) do update set value = fileflow_counters.value + excluded.value`,
        rows.flatMap(({ name, label, value }) => [name, label, value]),
      ),
    );
  }

  async all(): Promise<{ name: string; label: string; value: number }[]> {
    await this.flush();
    const rows = await this.#store.query<{ name: string; label: string; value: number }>(
      "select name, label, value from fileflow_counters order by name, label",
    );
    return rows.map((row) => ({ ...row, value: Number(row.value) }));
  }

  async close(): Promise<void> {
    await this.flush().catch(() => {});
  }
}
