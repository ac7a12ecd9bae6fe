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
  audience: z.string().min(1).optional().describe("What `aud` must contain. Default: not checked."),
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

/** All settings of the core. This one schema makes the types, the check and the reference page. */
export const settingsSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("The address that the server listens on."),
  port: z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8400)
    .describe("The port that the server listens on. 0: any free port."),
  data: z
    .string()
    .min(1)
    .default("./data")
    .describe("The folder of the embedded store, the admin token and the files of apps."),
  store: storeAddress
    .optional()
    .describe("Where jobs are kept: `sqlite:<path>` or `postgres://…`. Default: `sqlite:<data>/andon.db`."),
  redisUrl: urlOf(["redis", "rediss"], allows("redis://… or rediss://…", "redis://… 또는 rediss://…"))
    .optional()
    .describe(
      "Redis for apps that also leave abort flags outside of the store. Default: none, aborts go through the store alone.",
    ),
  adminToken: z
    .string()
    .refine(
      (text) => /^[\x21-\x7e]{1,512}$/.test(text),
      allows("1 to 512 visible ASCII characters without blanks", "공백이 없는 ASCII 문자 1~512자"),
    )
    .optional()
    .describe("The admin token. Default: created at the first start and kept in `<data>/admin.key`."),
  queues: z
    .record(queueName, queueSettings)
    .default({})
    .describe(
      "Queues by name: the rules of the page on queue rules, `handler`, and `work` (the options of `work`). For the queue of an app, a rule that is set here replaces the app's.",
    ),
  bullmq: bullmqSettings
    .prefault({})
    .describe(
      "Queues of BullMQ that operators see and decide about like those of Andon. See the guide on BullMQ.",
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
        .describe("How long ended alerts are kept. Open ones are not deleted."),
    })
    .prefault({})
    .describe(
      "How long history is kept; older rows are deleted. The audit log is never deleted. How long jobs are kept is a rule of their queue.",
    ),
  decisions: decisionsSchema.prefault({}).describe("Decisions of operators about one job."),
  auth: z
    .strictObject({
      jwt: jwt
        .optional()
        .describe(
          "Accepts tokens of your own issuer. Default: only the admin token and API keys are accepted.",
        ),
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
      "What this process does. `api`: serves HTTP. `work`: runs handlers. `deliver`: sends messages of the outbox. `watch`: checks the rules of alerts.",
    ),
  log: z
    .strictObject({
      level: z.enum(LOG_LEVELS).default("info").describe("The lowest level that is written."),
      format: z
        .enum(["auto", "json", "text"])
        .default("auto")
        .describe(
          "`json`: one object per line. `text`: lines for people; successful reads over HTTP are left out unless the level is `debug`. `auto`: text on a terminal, else JSON.",
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
    .describe(
      "The address at which people reach the server, for links and the check of `Origin`. Default: where it listens.",
    ),
  runbooks: z
    .record(z.string().min(1).max(200), z.string().min(1).max(2_000))
    .default({})
    .describe(
      "Runbooks of failures: an address per error code or per fingerprint. Default: the built-in pages.",
    ),
  shutdownGrace: duration
    .default(30_000)
    .describe(
      "How long requests and running jobs may take to finish at shutdown. Jobs that are still running after that go back to their places.",
    ),
  bodyLimit: z
    .number()
    .int()
    .min(1_024)
    .max(1_073_741_824)
    .default(2_097_152)
    .describe("The largest body of a request, in bytes. It does not apply to uploads and NDJSON."),
  http: httpSettings.prefault({}).describe("Time-outs and limits of connections."),
  trustProxy: z
    .union([z.boolean(), z.array(networkAddress)])
    .default(false)
    .describe(
      "Whose `X-Forwarded-*` headers are believed: a list of proxies' addresses, or everybody's (true).",
    ),
});

/** The settings of the core and of the apps, as a configuration file contains them. */
export type SettingsInput = z.input<typeof settingsSchema> & { readonly [keyOfAnApp: string]: unknown };

type Parsed = z.output<typeof settingsSchema>;

/** Settings with all defaults, except that rules of queues are as written. */
export type Settings = Omit<Parsed, "queues" | "store" | "apps"> & {
  queues: Readonly<Record<string, QueueSettings>>;
  store: string;
  /** The apps that run: installed apps that are not switched off, then apps of the configuration. */
  apps: readonly App[];
  /** The checked settings of the apps by key: `own` settings below the app's name, `shared` settings at their own key. */
  ofApps: Readonly<Record<string, unknown>>;
};

/** For `andon.config.ts`: adds the types and returns its argument unchanged. */
export function defineConfig(settings: SettingsInput): SettingsInput {
  return settings;
}
