import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import helmet, { type HelmetOptions } from "helmet";

type Headers = Readonly<Record<string, string>>;
type Directives = Record<string, Iterable<string>>;

/** No other origins, nothing inline, no framing: a payload that reaches a page stays text. */
const OF_PAGES: Directives = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  mediaSrc: ["'self'"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

const SECURITY_HEADERS = headersWith(OF_PAGES);

/** For answers before routing, where no hook is called. None of them is a page. */
export const WITHOUT_ROUTE = headersWith({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });

/** Adds the security headers. They are equal for every answer, so they are built once. */
export function secureAnswers(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers(SECURITY_HEADERS);
  });
}

function headersWith(directives: Directives): Headers {
  const options: HelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives },
    crossOriginResourcePolicy: { policy: "same-origin" },
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
  };
  const headers: Record<string, string> = {};
  const answer = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => {},
  };
  helmet(options)({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return headers;
}
