import { type App, urlOf } from "@andon/app";
import { allows, decisionsSchema, duration, historySchema } from "@andon/contract";
import * as z from "zod";
import { alertSettings } from "../alerts/settings.ts";
import { bullmqSettings } from "../bullmq/settings.ts";
import { networkAddress, storeAddress } from "./addresses.ts";
import { httpSettings } from "./http-settings.ts";
import { type QueueSettings, queueName, queueSettings } from "./queue-settings.ts";
import { ROLES } from "./roles.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

const webAddress = urlOf(
  ["http", "https"],
  allows("a URL that begins with http:// or https://", "http:// 또는 https://로 시작하는 URL"),
);

const jwt = z.strictObject({
  issuer: webAddress.describe("Who issues the tokens, as their `iss` says."),
  jwksUrl: webAddress
    .optional()
    .describe("Where the issuer's keys are. Default: `<issuer>/.well-known/jwks.json`."),
  audience: z.string().min(1).optional().describe("What `aud` must say. Default: not looked at."),
  permissionsClaim: z.string().min(1).default("permissions").describe("Which claim lists the permissions."),
  tenantClaim: z.string().min(1).default("tenantId").describe("Which claim names the tenant."),
  organizationClaim: z
    .string()
    .min(1)
    .default("organizationId")
    .describe("Which claim names the organisation."),
});

export const isApp = (value: unknown): value is App =>
  typeof value === "object" && value !== null && typeof (value as { name?: unknown }).name === "string";

/** Everything of the core that can be set. This one schema makes the types, the check and the reference page. */
export const settingsSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("The address it listens on."),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8400)
    .describe("The port it listens on. 0: any that is free."),
  data: z
    .string()
    .min(1)
    .default("./data")
    .describe("The folder of the embedded store, the admin key and the files of apps."),
  store: storeAddress
    .optional()
    .describe("Where jobs are kept: `sqlite:<path>` or `postgres://…`. Default: `sqlite:<data>/andon.db`."),
  redisUrl: urlOf(["redis", "rediss"], allows("redis://… or rediss://…", "redis://… 또는 rediss://…"))
    .optional()
    .describe(
      "Redis, for apps that signal through it beside the store: abort flags. Default: none, the store does it.",
    ),
  adminToken: z
    .string()
    .refine(
      (text) => /^[\x21-\x7e]{1,512}$/.test(text),
      allows("1 to 512 visible ASCII characters without blanks", "공백이 없는 ASCII 문자 1~512자"),
    )
    .optional()
    .describe("The admin key. Default: made at the first start, kept in `<data>/admin.key`."),
  queues: z
    .record(queueName, queueSettings)
    .default({})
    .describe(
      "Queues by name: the rules of the page on queue rules, `handler`, and `work`. For queues that an app brings, what is set here wins.",
    ),
  bullmq: bullmqSettings
    .prefault({})
    .describe(
      "Queues of BullMQ that operators see and decide about beside those of Andon. See the guide on BullMQ.",
    ),
  apps: z
    .array(z.custom<App>(isApp, allows("an app, made by defineApp", "defineApp으로 만든 앱")))
    .default([])
    .describe("Apps to run: values made by `defineApp`."),
  alerts: alertSettings.prefault({}).describe("Alerts and where they go."),
  keep: z
    .strictObject({
      ...historySchema.shape,
      alerts: duration
        .default(90 * 86_400_000)
        .describe("How long alerts that are over are kept. Open ones stay."),
    })
    .prefault({})
    .describe(
      "How long history is kept. The audit log is kept whole. How long jobs are kept is a rule of their queue.",
    ),
  decisions: decisionsSchema.prefault({}).describe("Decisions of operators about one job."),
  auth: z
    .strictObject({
      jwt: jwt.optional().describe("Tokens of an issuer of yours. Default: API keys alone."),
      permissions: z
        .array(z.string().regex(/^[a-z][\w-]*\.[a-z][\w-]*$/))
        .default([])
        .describe("Permissions that keys may hold beside those of the core and of the apps that run here."),
    })
    .prefault({})
    .describe("Who may call."),
  roles: z
    .array(z.enum(ROLES))
    .min(1)
    .default([...ROLES])
    .describe(
      "What this process does: `api` HTTP, `work` handlers, `deliver` messages of the outbox, `watch` rules of alerts.",
    ),
  log: z
    .strictObject({
      level: z.enum(LOG_LEVELS).default("info").describe("The least important lines that are written."),
      format: z
        .enum(["auto", "json", "text"])
        .default("auto")
        .describe(
          "`json`: one object per line. `text`: lines for people, without answered reads unless the level is `debug`. `auto`: text on a terminal, else JSON.",
        ),
    })
    .prefault({})
    .describe("The log, on stdout."),
  telemetry: z
    .strictObject({
      endpoint: webAddress
        .optional()
        .describe(
          "Where traces are sent as OTLP over HTTP, such as http://127.0.0.1:4318. Default: nowhere.",
        ),
    })
    .prefault({})
    .describe("Traces by OpenTelemetry."),
  publicUrl: webAddress
    .optional()
    .describe("How people reach it, for links and the check of Origin. Default: where it listens."),
  runbooks: z
    .record(z.string().min(1).max(200), z.string().min(1).max(2_000))
    .default({})
    .describe(
      "What to do about a failure: an address per code of an error, or per fingerprint. Default: the built-in pages.",
    ),
  shutdownGrace: duration
    .default(30_000)
    .describe("How long requests and running jobs may take to finish at shutdown; the rest is handed back."),
  bodyLimit: z
    .number()
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(2_097_152)
    .describe("The largest body of a request, in bytes."),
  http: httpSettings.prefault({}).describe("Time-outs and limits of connections."),
  trustProxy: z
    .union([z.boolean(), z.array(networkAddress)])
    .default(false)
    .describe(
      "Whose `X-Forwarded-*` headers are believed: a list of proxies' addresses, or everybody's (true).",
    ),
});

/** The core's settings as a configuration file gives them, beside those of the apps. */
export type SettingsInput = z.input<typeof settingsSchema> & { readonly [keyOfAnApp: string]: unknown };

type Parsed = z.output<typeof settingsSchema>;

/** Settings with every default filled in; rules of queues are as they were written. */
export type Settings = Omit<Parsed, "queues" | "store" | "apps"> & {
  queues: Readonly<Record<string, QueueSettings>>;
  store: string;
  /** The apps that run: installed ones that are not switched off, then those of the configuration. */
  apps: readonly App[];
  /** The checked settings of the apps by key: `own` below the app's name, `shared` by themselves. */
  ofApps: Readonly<Record<string, unknown>>;
};

/** For `andon.config.ts`: gives the types, changes nothing. */
export function defineConfig(settings: SettingsInput): SettingsInput {
  return settings;
}
