import { readFileSync } from "node:fs";
import { type PostgresServer, startPostgres } from "@andon/testkit";
import { Site } from "@andon/testkit/processes";
import { type Arguments, HELP, readArguments } from "./arguments.ts";
import { FAULTS } from "./faults/index.ts";
import { printTable, type Result, resultOf, type Versions, writeResult } from "./report.ts";

async function prove({ minutes, faults, kinds, seed }: Arguments): Promise<boolean> {
  const plan = FAULTS.filter(({ name }) => faults.includes(name)).flatMap((fault) =>
    fault.kinds.filter((kind) => kinds.includes(kind)).map((kind) => ({ fault, kind })),
  );
  const weights = plan.reduce((sum, { fault }) => sum + fault.weight, 0);
  const servers: PostgresServer[] = [];
  const startServer = async () => {
    const started = await startPostgres();
    servers.push(started);
    return started;
  };
  const stopServers = () => Promise.all(servers.splice(0).map((one) => one.stop()));
  // An interrupted proof must leave no server running. The fleet ends when its standard input closes.
  const interrupted = () => void stopServers().finally(() => process.exit(1));
  process.once("SIGINT", interrupted).once("SIGTERM", interrupted);
  const results: Result[] = [];
  try {
    const server = kinds.includes("postgres") ? await startServer() : undefined;
    const versions = await versionsOf(server);
    for (const { fault, kind } of plan) {
      const said = `${fault.name} on ${kind}`;
      console.error(`${said}: ${fault.shows}`);
      const began = performance.now();
      const budgetMs = (minutes * 60_000 * fault.weight) / weights;
      const say = (text: string) => console.error(`  ${text}`);
      const outcome = await fault.run({ kind, seed, budgetMs, serverUrl: server?.url, startServer, say });
      const result = resultOf(fault, kind, outcome, (performance.now() - began) / 1_000);
      writeResult(result, seed, versions);
      results.push(result);
      for (const finding of result.findings) console.error(`  FOUND: ${finding}`);
      if (result.verdict === "FAILED")
        console.error(`  to repeat: npm run proof -- --only ${fault.name} --store ${kind} --seed ${seed}`);
    }
  } finally {
    await stopServers();
  }
  console.log(`seed ${seed}`);
  printTable(results);
  return results.every(({ verdict }) => verdict === "ok");
}

async function versionsOf(server: PostgresServer | undefined): Promise<Versions> {
  const own = new URL("../packages/andon/package.json", import.meta.url);
  const andon = (JSON.parse(readFileSync(own, "utf8")) as { version: string }).version;
  const node = process.versions.node;
  if (!server) return { andon, node, postgres: null };
  const site = await Site.open("postgres", server.url);
  const [row] = await site.query<{ server_version: string }>("show server_version");
  await site.close();
  return { andon, node, postgres: row?.server_version ?? null };
}

try {
  const wanted = readArguments(process.argv.slice(2));
  if (wanted === "help") console.log(HELP);
  else process.exitCode = (await prove(wanted)) ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
