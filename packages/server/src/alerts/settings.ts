import { allows, duration } from "@andon/contract";
import * as z from "zod";

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .optional()
  .describe("What the channel is called in lists and logs. Default: its type and host.");
const sendResolved = z
  .boolean()
  .default(false)
  .describe("Whether the end of an alert is sent too, not only its beginning.");
const httpUrl = z
  .string()
  .refine(
    (value) => hasScheme(value, ["http:", "https:"]),
    allows("an address that starts with http:// or https://", "http:// 또는 https://로 시작하는 주소"),
  )
  .describe("Where alerts are posted to. Redirects are not followed.");

const webhook = z.strictObject({
  type: z.literal("webhook"),
  url: httpUrl,
  secret: z
    .string()
    .min(1)
    .optional()
    .describe("Signs each body: the header `X-Andon-Signature` is then `sha256=` and the HMAC in hex."),
  name,
  sendResolved,
});
const slack = z.strictObject({ type: z.literal("slack"), url: httpUrl, name, sendResolved });
const email = z.strictObject({
  type: z.literal("email"),
  smtp: z
    .string()
    .refine(
      (value) => hasScheme(value, ["smtp:", "smtps:"]),
      // A login written into the address, as an example too, is taken out of whatever is printed.
      allows(
        "smtp://host:port or smtps://host:port, with user:password@ before the host where it wants a login",
        "smtp://host:port 또는 smtps://host:port. 로그인이 필요하면 호스트 앞에 user:password@",
      ),
    )
    .describe("The mail server. `smtps` speaks TLS from the start, `smtp` when the server offers it."),
  to: z
    .union([z.string().min(3), z.array(z.string().min(3)).min(1)])
    .transform((to) => [to].flat())
    .describe("Who gets the mail: one address or a list."),
  from: z
    .string()
    .min(3)
    .optional()
    .describe("The sender. Default: the user of `smtp` where that is an address, else andon@ its host."),
  name,
  sendResolved,
});
const log = z.strictObject({ type: z.literal("log"), name });

/** The section `alerts` of the settings. This one schema makes the types, the check and the reference page. */
export const alertSettings = z.strictObject({
  language: z
    .enum(["ko", "en"])
    .default("ko")
    .describe(
      "The language of titles and messages, and of what is stored about faults of the cache and the NAS.",
    ),
  channels: z
    .array(z.discriminatedUnion("type", [webhook, slack, email, log]))
    .max(50)
    .default([])
    .describe("Where alerts go. The log gets them in any case."),
  waitingAbove: z
    .number()
    .int()
    .min(0)
    .default(100)
    .describe("More waiting jobs than this in one queue raise `QUEUE_WAITING_EXCEEDED`."),
  pausedLongerThan: duration
    .default(3_600_000)
    .describe("A queue that is stopped for longer than this raises `QUEUE_PAUSED_LONG_TIME`."),
  allowPrivateTargets: z
    .boolean()
    .optional()
    .describe(
      "Whether channels may reach private and loopback addresses. Unset: loopback only, and only with SQLite. Link-local and metadata addresses are never reached.",
    ),
});

export type AlertSettings = z.output<typeof alertSettings>;
export type ChannelSettings = AlertSettings["channels"][number];

function hasScheme(value: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return schemes.includes(protocol) && hostname !== "";
}
