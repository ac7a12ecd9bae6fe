import { duration } from "@andon/contract";
import * as z from "zod";

/**
 * The section `http` of the settings. The defaults allow a whole office behind one address: a browser opens up to six
 * connections, and one event stream per tab.
 */
export const httpSettings = z.strictObject({
  headersTimeout: duration
    .default(15_000)
    .describe("How long the headers of a request may take to arrive. After that the connection is closed."),
  bodyTimeout: duration
    .default(30_000)
    .describe(
      "How long a body may pause before its end. After that the request is answered 408. A slow upload without such a pause is not ended.",
    ),
  idleTimeout: duration
    .default(72_000)
    .describe("How long a connection without a request is kept open for the next one."),
  connectionsPerAddress: z
    .number()
    .int()
    .min(0)
    .default(2_000)
    .describe(
      "Most open connections of one address. 0: no limit. There is none for the proxies of `trustProxy`.",
    ),
  streamsPerKey: z
    .number()
    .int()
    .min(1)
    .default(100)
    .describe(
      "Most open event streams (`/events`) of one key, including those of the sessions made from it.",
    ),
});
