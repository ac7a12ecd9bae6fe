import { type AppSettings, folder, folderOr, urlOf } from "@andon/app";
import { allows, duration, durationFrom } from "@andon/contract";
import * as z from "zod";
import { DEFAULT_PHASES } from "./states.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;
const CHAT_EXAMPLE = "https://api.openai.com/v1/chat/completions";
const webUrl = (example: string) => urlOf(["http", "https"], allows(example, example));
const secret = z.string().min(1).max(4_000);

/** A valid name of a stage. The excluded names are those of other tabs. */
const phaseName = z
  .string()
  .regex(
    /^(?!(?:scheduled|failed|completed|cancelled)$)[a-zA-Z0-9][\w.:-]{0,99}$/,
    allows(
      "letters, digits, . : _ -, at most 100, and none of scheduled, failed, completed, cancelled",
      "영문자, 숫자, . : _ -, 최대 100자. scheduled, failed, completed, cancelled는 쓸 수 없음",
    ),
  );

const nameOf = (given: string | { readonly name: string }) =>
  typeof given === "string" ? given : given.name;

const phase = z.union([
  phaseName,
  z.strictObject({
    name: phaseName.describe("What the phase is called: the `type` of tasks in it."),
    executor: z.string().min(1).optional().describe("What it does. Default: the executor of the same name."),
    concurrency: z.number().int().min(1).default(1).describe("How many tasks are at work in it at once."),
    timeout: durationFrom(1_000).optional().describe("How long it may take. Default: `phaseTimeout`."),
  }),
]);

const script = z
  .strictObject({
    endpoint: webUrl(CHAT_EXAMPLE)
      .optional()
      .describe(
        "A chat endpoint that speaks the OpenAI protocol, such as `https://api.openai.com/v1/chat/completions`. Default: the built-in writer, which needs no network.",
      ),
    model: z.string().min(1).optional().describe("The model that is asked. Needed with `endpoint`."),
    apiKey: secret.optional().describe("Sent as a bearer token. Default: none."),
    timeout: durationFrom(100)
      .default(2 * MINUTE)
      .describe("How long one answer may take."),
  })
  .refine(
    ({ endpoint, model }) => endpoint === undefined || model !== undefined,
    allows("`model` beside `endpoint`", "`endpoint`와 함께 `model`"),
  )
  .prefault({})
  .describe("Who writes the script.");

const images = z
  .strictObject({
    largest: z
      .number()
      .int()
      .min(1)
      .max(1024 * MEGABYTE)
      .default(20 * MEGABYTE)
      .describe("The most bytes of one image."),
    most: z.number().int().min(1).max(1_000).default(100).describe("The most images of one task."),
    timeout: durationFrom(100).default(30_000).describe("How long fetching one image may take."),
    allowPrivateTargets: z
      .boolean()
      .default(false)
      .describe(
        "Whether image URLs may lead to private addresses or this machine. Link-local ones never are.",
      ),
  })
  .prefault({})
  .describe("Images that people or crawls bring.");

const even = (least: number, most: number) => z.number().int().min(least).max(most).multipleOf(2);

const video = z
  .strictObject({
    width: even(160, 3840).default(1280).describe("Pixels."),
    height: even(90, 2160).default(720).describe("Pixels."),
    fps: z.number().int().min(5).max(60).default(30).describe("Frames per second."),
    sceneSeconds: z
      .number()
      .min(1)
      .max(60)
      .default(5)
      .describe("The least time that a scene is shown; longer texts get more."),
    fadeSeconds: z.number().min(0.1).max(2).default(0.5).describe("How long one scene fades into the next."),
    font: z
      .string()
      .regex(/^[\p{L}\p{N} _-]{1,100}$/u)
      .default("Noto Sans CJK KR")
      .describe("The font of subtitles and title cards; it needs Korean characters."),
    ffmpeg: z.string().min(1).default("ffmpeg").describe("The program ffmpeg, by name or path."),
    ffprobe: z.string().min(1).default("ffprobe").describe("The program ffprobe, by name or path."),
    espeak: z.string().min(1).default("espeak-ng").describe("The program that speaks, by name or path."),
  })
  .refine(
    ({ sceneSeconds, fadeSeconds }) => fadeSeconds * 2 < sceneSeconds,
    allows("`fadeSeconds` below half of `sceneSeconds`", "`fadeSeconds`는 `sceneSeconds`의 절반 미만"),
  )
  .prefault({})
  .describe("How films are rendered.");

const channel = ["clientId", "clientSecret", "refreshToken"] as const;

const youtube = z
  .strictObject({
    clientId: secret.optional().describe("OAuth client of the channel. Default: films go to `folder`."),
    clientSecret: secret.optional().describe("Its secret."),
    refreshToken: secret
      .optional()
      .describe("A refresh token of the channel with the scope `youtube.upload`."),
    privacy: z.enum(["private", "unlisted", "public"]).default("private").describe("Who may see the film."),
    categoryId: z.string().regex(/^\d+$/).default("22").describe("YouTube's category of the film."),
    chunkSize: z
      .number()
      .int()
      .min(256 * 1024)
      .multipleOf(256 * 1024)
      .default(8 * MEGABYTE)
      .describe("Bytes per request; a multiple of 256 KiB."),
    uploadUrl: webUrl("https://www.googleapis.com/upload/youtube/v3/videos")
      .default("https://www.googleapis.com/upload/youtube/v3/videos")
      .describe("The Data API's upload address."),
    tokenUrl: webUrl("https://oauth2.googleapis.com/token")
      .default("https://oauth2.googleapis.com/token")
      .describe("Where access tokens come from."),
    timeout: durationFrom(100).default(MINUTE).describe("How long one request may take."),
    folder: folder
      .optional()
      .describe("Where films go without a channel. Default: `published` in the data folder."),
  })
  .refine(
    (given) => new Set(channel.map((name) => given[name] === undefined)).size === 1,
    allows(
      "all of `clientId`, `clientSecret`, `refreshToken`, or none",
      "`clientId`, `clientSecret`, `refreshToken` 모두 또는 모두 없음",
    ),
  )
  .prefault({})
  .describe("Where films are published.");

const own = z
  .strictObject({
    phases: z
      .array(phase)
      .min(1)
      .max(50)
      .refine(
        (phases) => new Set(phases.map(nameOf)).size === phases.length,
        allows("each phase once", "각 단계는 한 번씩"),
      )
      .default([...DEFAULT_PHASES])
      .describe("The phases of a task in their order, by name or with limits."),
    phaseTimeout: durationFrom(1_000)
      .default(15 * MINUTE)
      .describe("How long a phase may be at work before it fails and its work is ended."),
    imageWait: durationFrom(1_000)
      .default(24 * HOUR)
      .describe("How long a task waits for its images before it fails as `PARK_EXPIRED`."),
    maxRetries: z.number().int().min(0).max(1_000).default(3).describe("How often one phase may be retried."),
    keep: duration
      .default(90 * 24 * HOUR)
      .describe("How long a task stays after its end. Failed ones stay until somebody deletes them."),
    files: folderOr(
      ["s3"],
      allows("file:<folder>, s3://<bucket>/<prefix>", "file:<폴더>, s3://<버킷>/<접두어>"),
    )
      .optional()
      .describe("Where scripts, images and films are kept. Default: `studio` in the data folder."),
    script,
    images,
    video,
    youtube,
  })
  .describe("Films from a title. `false`: without it.");

/** The settings of this app. */
export const STUDIO_SETTINGS = {
  own,
  environment: {
    ANDON_STUDIO_SCRIPT_KEY: { key: "studio.script.apiKey", as: "text" },
    ANDON_STUDIO_YOUTUBE_SECRET: { key: "studio.youtube.clientSecret", as: "text" },
    ANDON_STUDIO_YOUTUBE_TOKEN: { key: "studio.youtube.refreshToken", as: "text" },
  },
} as const satisfies AppSettings;

export type StudioSettings = z.output<typeof own>;
