import type { FastifyHelmetOptions } from "@fastify/helmet";

/** Nothing from elsewhere, nothing inline, no framing: a payload that reaches a page stays text. */
export const CONTENT_POLICY: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: "same-origin" },
  frameguard: { action: "deny" },
  referrerPolicy: { policy: "no-referrer" },
};
