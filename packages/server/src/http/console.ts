import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { consoleFolder } from "@andon/console";
import serveFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const PAGE = "index.html";
const A_YEAR_MS = 365 * 86_400_000;

/** Serves the console: its page at `/` and wherever a browser asks for one of its rooms, its assets below `/assets/`. */
export async function mountConsole(app: FastifyInstance, folder = consoleFolder): Promise<void> {
  const root = fileURLToPath(folder);
  if (!existsSync(root)) {
    app.log.warn("the console is not built: run `npm run build -w packages/console`");
    return;
  }
  await app.register(serveFiles, {
    root,
    serve: false,
    cacheControl: false,
    index: false,
    preCompressed: true,
  });
  app.get("/", (_request, reply) => sendPage(reply));
  // The names of assets change with their content.
  app.get("/assets/*", (request, reply) =>
    reply.sendFile(`assets/${(request.params as { "*": string })["*"]}`, {
      cacheControl: true,
      maxAge: A_YEAR_MS,
      immutable: true,
    }),
  );
  app.decorate("consolePage", sendPage);
}

function sendPage(reply: FastifyReply): FastifyReply {
  return reply.header("cache-control", "no-cache").sendFile(PAGE);
}

declare module "fastify" {
  interface FastifyInstance {
    consolePage?: (reply: FastifyReply) => FastifyReply;
  }
}

/** Whether a browser asks for a page, so that this path is a room of the console and not an API call. */
export function isRoom(request: FastifyRequest): boolean {
  const isLook = request.method === "GET" || request.method === "HEAD";
  return isLook && (request.headers.accept ?? "").includes("text/html");
}
