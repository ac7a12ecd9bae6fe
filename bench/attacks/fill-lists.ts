import { openStore } from "@andon/store";

const AT_ONCE = 1_000;

/**
 * Inserts files and audit rows into the store of a server that has created its tables. The files have no bytes: only lists
 * read the rows.
 */
export async function fillLists(url: string, count: number): Promise<void> {
  const store = await openStore(url);
  try {
    for (let from = 0; from < count; from += AT_ONCE) {
      const numbers = Array.from({ length: AT_ONCE }, (_, n) => from + n);
      await store.transaction("fill", async (tx) => {
        const rows = numbers.map(
          (_, n) => `($${2 * n + 1}, 'default', 'root', $${2 * n + 2}, $${2 * n + 2}, 'ACTIVE',
1, 'text/plain', '', 'bench', 1, 1)`,
        );
        const params = numbers.flatMap((number) => [`bench-${number}`, `report ${number}.txt`]);
        await tx.query(
          `insert into files (id, tenant_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by,
created_at, updated_at) values ${rows.join(", ")}`,
          params,
        );
        for (const number of numbers)
          await tx.addAudit({
            actor: `person ${number % 20}`,
            action: "note",
            target: "queue:bench",
            reason: null,
            before: null,
            after: { number },
          });
      });
    }
  } finally {
    await store.close();
  }
}
