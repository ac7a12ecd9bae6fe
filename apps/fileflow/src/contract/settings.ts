import { type AppSettings, folderOr, urlOf } from "@andon/app";
import { allows, duration, durationFrom } from "@andon/contract";
import { organizationId, text } from "@andon/contract/wire";
import * as z from "zod";

const S = 1_000;
const DAY = 86_400_000;
const S3_EXAMPLE = "s3://bucket/prefix?endpoint=…&region=…";
const QUEUE_EXAMPLE = "https://sqs.ap-northeast-2.amazonaws.com/123456789012/ingest";
const HOOK_EXAMPLE = "https://example.com/extractions";
const PDF = "application/pdf";
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const place = folderOr(["s3"], allows(S3_EXAMPLE, S3_EXAMPLE));
const web = (example: string) => urlOf(["http", "https"], allows(example, example));
/** Looser than a URL, because some servers give queues addresses such as `http://sqs.region.127.0.0.1:9324/…`. */
const queueAddress = z.string().regex(/^https?:\/\/\S+\/\S+$/, allows(QUEUE_EXAMPLE, QUEUE_EXAMPLE));
const mimePatterns = z
  .array(
    z
      .string()
      .regex(
        /^[\w.+-]+\/([\w.+-]+|\*)$/,
        allows("image/* or application/pdf", "image/* 또는 application/pdf"),
      ),
  )
  .describe("Types such as `application/pdf` or `image/*`.");

const retry = z
  .strictObject({
    type: z.enum(["fixed", "exponential", "none"]).default("exponential").describe("How the wait grows."),
    max: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe("Attempts, the first included; `none` has one."),
    delay: duration.default(2 * S).describe("The wait after the first failure."),
    maxDelay: duration.default(300 * S).describe("The longest wait."),
  })
  .prefault({})
  .describe("What becomes of a failed attempt. Irreversible failures are never retried.");

const name = /^[a-z][a-z0-9-]{0,39}$/;
const NAME = allows("lower-case letters, digits and -, at most 40", "영문 소문자, 숫자, -, 최대 40자");

const stage = z.strictObject({
  use: z
    .string()
    .regex(name, NAME)
    .describe("Which program it runs: `probe`, `image`, `text`, `ocr`, `publish`."),
  name: z.string().regex(name, NAME).optional().describe("What it is called. Default: as its program."),
  retry,
  timeout: duration.default(60 * S).describe("How long one attempt may take; the last one ends as TIMEOUT."),
  concurrency: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("How many executions are in it at once, fleet-wide."),
  rollBack: z
    .boolean()
    .default(true)
    .describe("Whether what it stored is removed where the execution is cancelled."),
});

const pipeline = z.strictObject({
  code: z.string().regex(name, NAME).describe("What events and schedules call it."),
  description: z.string().max(500).optional().describe("What it is for."),
  priority: z.number().int().min(-1000).max(1000).default(0).describe("Executions of a higher one go first."),
  match: z
    .strictObject({
      mimeTypes: mimePatterns.default([]),
      tenantIds: z.array(text(200)).default([]).describe("Only events of these tenants."),
      buckets: z.array(text(255)).default([]).describe("Only objects of these buckets."),
      prefix: z.string().max(1024).optional().describe("Only keys that begin with this."),
    })
    .optional()
    .describe(
      "Which events it takes: all conditions that are set must hold. The first pipeline that matches takes the event, `default` what is left. Unset: only events that name it.",
    ),
  stages: z.array(stage).min(1).max(20).describe("What is done, in this order."),
});

const target = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("log") }),
  z.strictObject({
    type: z.literal("sqs"),
    queueUrl: queueAddress,
    endpoint: web("http://127.0.0.1:9324").optional(),
  }),
  z.strictObject({
    type: z.literal("sns"),
    topicArn: text(300),
    endpoint: web("http://127.0.0.1:9324").optional(),
  }),
  z.strictObject({
    type: z.literal("webhook"),
    url: web(HOOK_EXAMPLE),
    secret: text(500).optional().describe("Signs what is posted: `X-Andon-Signature`."),
    allowPrivateTargets: z.boolean().default(false).describe("Whether the address may be a private one."),
  }),
]);

const bucket = z.strictObject({
  tenantId: text(200).optional().describe("Whose objects these are, where the event does not say it."),
  organizationId: organizationId.optional().describe("Their organisation. Default: `default`."),
  url: place.optional().describe("Where the objects are. Default: `<data>/buckets/<bucket>`."),
});

const own = z
  .strictObject({
    maxReceives: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(5)
      .describe("How often a message is received before it is a dead letter."),
    retryPolicy: z
      .enum(["resume", "new"])
      .default("resume")
      .describe("Whether a retry by hand resumes the execution, or makes a new one that names the old one."),
    quarantineAfter: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(3)
      .describe("After how many failed redrives a dead letter is quarantined."),
    keep: duration
      .default(90 * DAY)
      .describe("How long an execution stays after its end. Failed ones stay until somebody deletes them."),
    maxPending: z
      .number()
      .int()
      .min(1)
      .default(10_000)
      .describe("With so many pending executions nothing more is received from SQS, until there is room."),
    perWorker: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(8)
      .describe("How many executions one process works on at once."),
    perTenant: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("How many executions of one tenant run at once, fleet-wide. Default: a fair share."),
    buckets: z.record(text(255), bucket).default({}).describe("What is known about buckets, by their names."),
    pipelines: z
      .array(pipeline)
      .default([])
      .describe("Pipelines beside `default`, which may be given here too."),
    objects: place
      .optional()
      .describe(
        "Where large inputs and outputs are kept: `file:<folder>` or `s3://…`. Default: `file:<data>/fileflow`.",
      ),
    publish: z
      .array(target)
      .max(20)
      .default([])
      .describe("Where extraction events go beside the built-in receiver. Default: nowhere else."),
    vault: z
      .strictObject({ match: mimePatterns.default([PDF, DOCX, "image/*"]) })
      .prefault({})
      .describe("Which files uploaded to the vault become events of the bucket `vault`."),
    extract: z
      .strictObject({
        processes: z.number().int().min(1).max(64).default(2).describe("Processes that extract."),
        memoryMb: z
          .number()
          .int()
          .min(64)
          .max(16_384)
          .default(768)
          .describe("The most memory of each, in MB."),
      })
      .prefault({})
      .describe("The processes that read files."),
    visibility: durationFrom(5 * S)
      .default(60 * S)
      .describe("How long a received message is hidden from others; it is extended while work goes on."),
    receivers: z.number().int().min(1).max(32).default(4).describe("Receives from SQS at once per process."),
    traceUrl: z
      .string()
      .max(500)
      .optional()
      .describe("Where a trace can be seen: `{traceId}` stands for its id."),
  })
  .describe("Object events, pipelines and extractions. `false`: without it.");

const sqs = z
  .strictObject({
    queueUrl: queueAddress.optional().describe("The queue of object events. Default: none is read."),
    dlqUrl: queueAddress
      .optional()
      .describe("Where messages go that cannot be processed. Default: only the store keeps them."),
    endpoint: web("http://127.0.0.1:9324").optional().describe("Another SQS server. Default: that of AWS."),
    region: text(50).optional().describe("The region. Default: as the AWS SDK finds it."),
  })
  .prefault({})
  .describe("Amazon SQS; credentials come from the usual chain of the AWS SDK.");

/** The settings of this app. */
export const FILEFLOW_SETTINGS = {
  own,
  shared: { sqs },
  environment: {
    ANDON_SQS_QUEUE_URL: { key: "sqs.queueUrl", as: "text" },
    ANDON_SQS_DLQ_URL: { key: "sqs.dlqUrl", as: "text" },
    ANDON_SQS_ENDPOINT: { key: "sqs.endpoint", as: "text" },
  },
} as const satisfies AppSettings;

export type FileflowSettings = z.output<typeof own>;
export type SqsSettings = z.output<typeof sqs>;
export type PipelineSettings = z.output<typeof pipeline>;
export type StageSettings = z.output<typeof stage>;
export type PublishTarget = z.output<typeof target>;
