import { duration } from "@andon/contract";
import * as z from "zod";

/**
 * The section `http` of the settings. The defaults leave room for a whole office behind one address: a browser holds up to six
 * connections and one event stream per tab.
 */
export const httpSettings = z.strictObject({
  headersTimeout: duration
    .default(15_000)
    .describe("How long the headers of a request may take to arrive. Then the connection is closed."),
  bodyTimeout: duration
    .default(30_000)
    .describe(
      "How long a body may pause before its end. Then the request is ended; a slow upload that moves goes on.",
    ),
  idleTimeout: duration
    .default(72_000)
    .describe("How long a connection without a request is kept open for the next one."),
  connectionsPerAddress: z
    .number()
    .int()
    .min(0)
    .default(2_000)
    .describe("Most open connections of one address. 0: no limit. Proxies of `trustProxy` have none."),
  streamsPerKey: z
    .number()
    .int()
    .min(1)
    .default(100)
    .describe("Most open event streams (`/events`) of one key, with the sessions made from it."),
});
