import { startPostgres } from "@andon/testkit";
import { expect, test } from "vitest";
import { TestServer, until } from "../harness.ts";

/** Ten seconds without an answer, and a margin for a busy machine. */
const BOUND_MS = 16_000;
const PATHS = ["/admin/queue/status", "/admin/jobs", "/admin/queues", "/metrics"];

test("a store that hangs is reported as unavailable in bounded time, and does not keep the process alive", {
  timeout: 120_000,
}, async () => {
  const postgres = await startPostgres();
  const server = await TestServer.start("sqlite", { store: postgres.url, shutdownGrace: "1s" });
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const begun = performance.now();
    const done = await work;
    expect(performance.now() - begun).toBeLessThan(BOUND_MS);
    return done;
  };
  try {
    for (const path of PATHS) expect([path, (await server.ask("GET", path)).status]).toEqual([path, 200]);
    postgres.freeze();
    const answers = await within(Promise.all(PATHS.map((path) => server.refused("GET", path))));
    expect(answers.map(({ status, error }) => [status, error])).toEqual(
      PATHS.map(() => [503, "STORE_UNAVAILABLE"]),
    );
    expect((await server.ask("GET", "/readyz")).status).toBe(503);
    postgres.thaw();
    await until(async () => (await server.ask("GET", "/readyz")).status === 200);
    for (const path of PATHS) expect([path, (await server.ask("GET", path)).status]).toEqual([path, 200]);
    postgres.freeze();
    await within(server.close());
  } finally {
    postgres.thaw();
    await server.close();
    await postgres.stop();
  }
});
