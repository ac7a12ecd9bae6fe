import { allows, duration } from "@andon/contract";
import * as z from "zod";
import { isLoopback } from "../public-address.ts";

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
    .describe(
      'Signs each body: `X-Andon-Signature-V2` is then `t=<unix seconds>,v1=<hex HMAC of "t.body">`, and `X-Andon-Signature` is `sha256=` and the HMAC of the body alone.',
    ),
  name,
  sendResolved,
});
const slack = z.strictObject({ type: z.literal("slack"), url: httpUrl, name, sendResolved });
const emailFields = z.strictObject({
  type: z.literal("email"),
  smtp: z
    .string()
    .refine(
      (value) => hasScheme(value, ["smtp:", "smtps:"]),
      // Printed text is redacted: an example login inside an address would be hidden, so the text describes it in words.
      allows(
        "smtp://host:port or smtps://host:port, with user:password@ before the host where it wants a login",
        "smtp://host:port 또는 smtps://host:port. 로그인이 필요하면 호스트 앞에 user:password@",
      ),
    )
    .describe("The mail server. `smtps` speaks TLS from the start, `smtp` when the server offers it."),
  requireTls: z
    .boolean()
    .default(false)
    .describe(
      "Whether `smtp` must change to TLS (STARTTLS) before anything is sent. A password needs this or `smtps`, unless the server is on this machine.",
    ),
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
const email = emailFields.refine(({ smtp, requireTls }) => requireTls || !sendsPasswordInTheClear(smtp), {
  path: ["smtp"],
  ...allows(
    "with a password: smtps://…, or smtp://… with requireTls: true",
    "비밀번호가 있으면 smtps://… 또는 requireTls: true와 smtp://…",
  ),
});
const log = z.strictObject({ type: z.literal("log"), name });

/** The section `alerts` of the settings. This one schema makes the types, the check and the reference page. */
export const alertSettings = z.strictObject({
  language: z
    .enum(["ko", "en"])
    .default("ko")
    .describe(
      "The language of alerts that are sent. API, console and command show alerts in the reader's language.",
    ),
  channels: z
    .array(z.discriminatedUnion("type", [webhook, slack, email, log]))
    .max(50)
    .default([])
    .describe("Where alerts are sent. They are always in the log too."),
  waitingAbove: z
    .number()
    .int()
    .min(0)
    .default(100)
    .describe("More waiting jobs than this in one queue raise `QUEUE_WAITING_EXCEEDED`."),
  waitingFor: duration
    .default(5_000)
    .describe(
      "How long the number must stay above `waitingAbove` before the alert. Parked and scheduled jobs do not count.",
    ),
  degradedLongerThan: duration
    .default(30_000)
    .describe("A queue that is degraded for longer than this raises `QUEUE_DEGRADED`."),
  unworkedLongerThan: duration
    .default(30_000)
    .describe(
      "A queue with waiting jobs whose last worker has been gone for longer than this raises `QUEUE_WITHOUT_WORKER`.",
    ),
  updateEvery: duration
    .default(300_000)
    .describe("The shortest time between two messages of one alert about further jobs."),
  runbooks: z
    .union([httpUrl, z.record(z.string().min(1).max(100), httpUrl)])
    .optional()
    .describe(
      "Where runbooks are: an address to which the name of the page is added, such as `line-stopped`, or one address per type of alert. Default: the path of the page in the documentation.",
    ),
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

function sendsPasswordInTheClear(smtp: string): boolean {
  if (!hasScheme(smtp, ["smtp:"])) return false;
  const { hostname, password } = new URL(smtp);
  return password !== "" && !isLoopback(hostname);
}

function hasScheme(value: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return schemes.includes(protocol) && hostname !== "";
}
