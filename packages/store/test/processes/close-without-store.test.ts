import { Andon } from "@andon/engine";
import { type PostgresServer, startPostgres } from "@andon/testkit";
import { afterEach, expect, test } from "vitest";
import { openStore } from "../../src/index.ts";

let server: PostgresServer | undefined;
afterEach(() => server?.stop());

test("a worker closes while its store is unavailable, and its job is taken back when the store returns", {
  timeout: 90_000,
}, async () => {
  server = await startPostgres();
  const rules = { lease: 1_000, sweep: 300, settleGrace: 100 };
  const before = new Andon(await openStore(server.url), { onError: () => {} });
  const queue = before.queue("line", rules);
  let hasStarted = () => {};
  const started = new Promise<void>((resolve) => {
    hasStarted = resolve;
  });
  await queue.work(
    () =>
      new Promise(() => {
        hasStarted();
      }),
    { grace: 100 },
  );
  const { id } = await queue.add("unfinished");
  await started;

  await server.kill();
  await before.close();

  await server.restart();
  const after = new Andon(await openStore(server.url), { onError: () => {} });
  const again = after.queue("line", rules);
  await again.work(() => "done by another");
  await again.drained();
  expect(await after.job(id)).toMatchObject({ state: "done", result: "done by another", attempts: 0 });
  await after.close();
});
