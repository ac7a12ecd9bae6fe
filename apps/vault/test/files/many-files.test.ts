import { expect } from "vitest";
import { describeVault, type VaultServer, WITHOUT_WORK } from "../harness.ts";

const quiet = { settings: WITHOUT_WORK };
const MANY = 50_010;
const MANY_FOLDERS = 10_050;
const AT_ONCE = 5_000;
const LONG_MS = 120_000;

/**
 * Adds rows as uploads and new folders do, but without bytes and taken names. Both databases can generate the numbers.
 * A few thousand at a time, because a transaction is limited to five seconds.
 */
async function addRows({ site }: VaultServer, into: string, select: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    const [first, last] = [100_001 + made, 100_000 + Math.min(made + AT_ONCE, count)];
    await site.andon.transaction((tx) =>
      tx.query(
        `insert into ${into}
with recursive numbers (n) as (select ${first} union all select n + 1 from numbers where n < ${last})
${select} from numbers`,
      ),
    );
  }
}

const addFiles = (server: VaultServer, folderId: string, count: number) =>
  addRows(
    server,
    `files
  (id, tenant_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by, created_at, updated_at)`,
    `select '${folderId}-' || n, 'default', '${folderId}', 'f-' || n, 'f-' || n, 'ACTIVE', 1, 'text/plain', '', 'kim', n, n`,
    count,
  );

const addFolders = (server: VaultServer, count: number) =>
  addRows(
    server,
    "folders (id, tenant_id, parent_id, name, sort_name, state, created_at, updated_at)",
    "select 'folder-' || n, 'default', 'root', 'd-' || n, 'd-' || n, 'ACTIVE', n, n",
    count,
  );

const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);

describeVault("lists of very many", (it) => {
  it(
    "files have a last page, and find each file by the beginning of its name",
    quiet,
    async (server) => {
      await addFiles(server, "root", MANY);
      await server.upload({ name: "Zebra.txt" });
      await server.upload({ name: "Zebra%.txt" });
      await server.upload({ name: "a zebra" });
      const last = await server.done("GET", "/files?page=5002&limit=10");
      expect(last).toMatchObject({ total: 10_000, more: true });
      expect(namesOf(last)).toEqual(["f-150010", "Zebra%.txt", "Zebra.txt"]);
      expect((await server.done("GET", "/folders/root?page=5002&limit=10")).children.items).toHaveLength(3);

      const found = async (text: string, page = "") =>
        namesOf(await server.done("GET", `/files?text=${encodeURIComponent(text)}${page}`));
      expect(await found("zebra.TXT")).toEqual(["Zebra.txt"]);
      expect(await found("zebra%")).toEqual(["Zebra%.txt"]);
      expect(await found("ZEBRA")).toEqual(["Zebra%.txt", "Zebra.txt", "a zebra"]);
      expect(await found("zebra", "&limit=2&page=1")).toEqual(["Zebra%.txt", "Zebra.txt"]);
      expect(await found("zebra", "&limit=2&page=2")).toEqual(["a zebra"]);
      expect(await found("zebra", "&limit=1&page=3")).toEqual(["a zebra"]);
      expect(await found("zebra", "&limit=1&page=4")).toEqual([]);
      expect(await found("zebra", "&availabilityStatus=PENDING")).toHaveLength(3);
      expect(await server.done("GET", "/files?text=zebra")).toMatchObject({ total: 3, more: true });
      const inRoot = await server.done("GET", "/folders/root?text=zebra");
      expect(namesOf(inRoot.children)).toEqual(["Zebra%.txt", "Zebra.txt", "a zebra"]);
    },
    LONG_MS,
  );

  it(
    "folders are followed by all files beside them",
    quiet,
    async (server) => {
      await addFolders(server, MANY_FOLDERS);
      await addFiles(server, "root", 30);
      const page = async (number: number) =>
        namesOf((await server.done("GET", `/folders/root?page=${number}&limit=20`)).children);
      expect((await page(502)).concat(await page(503), await page(504))).toEqual([
        ...Array.from({ length: 30 }, (_, n) => `d-${110_021 + n}`),
        ...Array.from({ length: 30 }, (_, n) => `f-${100_001 + n}`),
      ]);
    },
    LONG_MS,
  );
});
