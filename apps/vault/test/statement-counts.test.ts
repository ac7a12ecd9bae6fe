import { statementsOf } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VaultServer } from "./harness.ts";

/** The statements of `andon.reading` that the vault's hot paths send, by their texts. */
const LANES = /as running\s+from andon_lanes l where l\.queue = \$\d+ and l\.lane_key = any/;
const EARLIER = /as id where exists/;

/** The reads of the library take as few statements as joins with its tables would. */
describe("on PostgreSQL", () => {
  let server: VaultServer;
  beforeAll(async () => {
    server = await VaultServer.start("postgres");
  });
  afterAll(() => server.close());

  async function sent(work: () => Promise<void>) {
    const statements = [...(await statementsOf(work))];
    const countOf = (pattern: RegExp) =>
      statements.filter(([text]) => pattern.test(text)).reduce((sum, [, { count }]) => sum + count, 0);
    return { lanes: countOf(LANES), earlier: countOf(EARLIER) };
  }

  test("an upload and its operation ask once for earlier operations, and for no lane", async () => {
    const counts = await sent(async () => {
      await server.upload({ name: "first" });
      await server.synced();
    });
    expect(counts).toEqual({ lanes: 0, earlier: 1 });
  });

  test("a rename asks once for its place in the queue, and its operation once for earlier ones", async () => {
    const { fileId } = await server.upload({ name: "second" });
    await server.synced();
    const counts = await sent(async () => {
      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "renamed" } });
      await server.synced();
    });
    expect(counts).toEqual({ lanes: 1, earlier: 1 });
  });

  test("a folder's list asks once for the queue status of all its files", async () => {
    const folderId = await server.makeFolder("listed");
    for (const name of ["a", "b", "c"]) await server.upload({ name, folderId });
    await server.synced();
    const counts = await sent(async () => {
      await server.done("GET", `/folders/${folderId}`);
    });
    expect(counts).toEqual({ lanes: 1, earlier: 0 });
  });
});
