import { expect } from "vitest";
import { describeServers, until } from "../harness.ts";

const broken = (code: string) => () => {
  throw Object.assign(new Error(`it is ${code}`), { code });
};
const queues = {
  known: { attempts: 1, handler: broken("KNOWN") },
  other: { attempts: 1, handler: broken("OTHER") },
};

describeServers("the runbook of a cause", (it) => {
  const causeOf = async (server: Parameters<Parameters<typeof it>[2]>[0], queue: string) => {
    const client = server.client();
    await client.queues.add({ queue, payload: {} });
    await until(async () => (await client.queues.status({ queue })).failed === 1);
    const [cause] = (await client.queues.fingerprints({ queue })).items;
    return cause;
  };

  it("is the page of its code, else the built-in page", {
    queues,
    runbooks: { KNOWN: "https://wiki/known" },
  }, async (server) => {
    expect(await causeOf(server, "known")).toMatchObject({ code: "KNOWN", runbook: "https://wiki/known" });
    const other = await causeOf(server, "other");
    expect(other).toMatchObject({ runbook: "docs/en/runbooks/failed-jobs.md" });
    expect(other?.remedies).toEqual({ retried: 0, worked: 0, failedAgain: 0, skipped: 0, last: [] });
  });

  it("is below the address of all runbooks, if the settings have one", {
    queues,
    alerts: { runbooks: "https://wiki/pages/" },
  }, async (server) => {
    expect(await causeOf(server, "other")).toMatchObject({ runbook: "https://wiki/pages/failed-jobs" });
  });
});
