import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startNode } from "./program.ts";

/**
 * The upper limit of an answer over HTTP: routes of the framework that the server uses, which return a constant without
 * authentication. Run directly, this file is that server; imported, it starts one.
 */
export interface BareServer {
  readonly url: string;
  stop(): Promise<void>;
}

const HERE = fileURLToPath(import.meta.url);

/** `answers`: the answer of each path. */
export async function startBare(folder: string, answers: Record<string, unknown>): Promise<BareServer> {
  const program = startNode(HERE, [JSON.stringify(answers)], { log: join(folder, "bare.log") });
  try {
    const [, url = ""] = await program.printed(/listens on (\S+)/);
    return { url, stop: () => program.stop() };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

async function serve(answers: Record<string, unknown>): Promise<void> {
  const { fastify } = await import("fastify");
  const app = fastify();
  for (const [path, answer] of Object.entries(answers)) app.get(path, async () => answer);
  console.log(`listens on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
}

if (process.argv[1] === HERE) await serve(JSON.parse(process.argv[2] ?? "{}"));
