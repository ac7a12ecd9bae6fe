import { bulk, type Handler } from "@andon/engine";
import type { Errand } from "./errand.ts";

/** A bulk handler over the numbers from 1 to `size`; the table's constraint refuses a number that is written twice. */
export function walkHandler(size: number, chunkSize: number): Handler<Errand> {
  return bulk<number, Errand>({
    settings: { chunkSize, throttle: { pauseMs: 5 } },
    total: () => size,
    read: async (cursor, limit) => {
      const after = (cursor as number | null) ?? 0;
      return Array.from({ length: Math.max(0, Math.min(limit, size - after)) }, (_, n) => after + n + 1);
    },
    write: async (tx, rows, _, job) => {
      for (const n of rows)
        await tx.query("insert into andon_test_items (job, n) values ($1, $2)", [job.id, n]);
    },
    cursorOf: (row) => row,
  });
}
