import { type RouteTable, route } from "@andon/contract";
import {
  isNotBlank,
  NOT_BLANK,
  optionalReason,
  pageOf,
  paging,
  pendingDecision,
  reason,
  shownDecision,
  text,
  time,
} from "@andon/contract/wire";
import * as z from "zod";
import { IMAGE_SOURCES, LANGUAGES, TASK_STATUSES } from "./states.ts";

/*
 * The routes of tasks, their images and their films. One long file, because it is one table and the console's build replaces
 * this module as a whole by a table without schemas.
 */

const MOST_PRIORITY = 1_000_000;

const id = z.strictObject({ id: text(200) });
const type = z.string().describe("The phase that the task is in, such as `script`.");
const status = z.enum(TASK_STATUSES).describe("Its status in this phase.");
const isWebUrl = (given: string) =>
  URL.canParse(given) && ["http:", "https:"].includes(new URL(given).protocol);
const imageUrl = text(2_000).refine(isWebUrl, {
  params: { en: "it must be an http or https URL", ko: "http 또는 https URL이어야 합니다" },
});
const imageUrls = z.array(imageUrl).max(100);

const taskStatus = { taskId: z.string(), type, status };

const listed = z.strictObject({
  taskId: z.string(),
  title: z.string(),
  userId: z.string(),
  type,
  status,
  error: z.string().nullable(),
  priority: z.number().int(),
  scheduledTime: time,
  createdAt: time,
});

const phase = z.strictObject({
  type,
  status: z.enum(["waiting", "processing", "completed", "failed", "cancelled"]),
  elapsedMs: z.number().int().describe("Time at work; waiting does not count."),
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});

const logLine = z.strictObject({
  at: time,
  type: type.nullable(),
  level: z.enum(["info", "warning", "error"]),
  code: z.string().nullable().describe("What it says, for programs; null in lines of earlier versions."),
  message: z.string().describe("In the reader's language."),
});

const image = z.strictObject({
  number: z.number().int().describe("From 1, in the order they came."),
  name: z.string(),
  source: z.enum(["upload", "url", "title"]),
  url: z.string().nullable(),
  mimeType: z.string().nullable().describe("Null until it is fetched."),
  size: z.number().int().nullable(),
});

const task = z.strictObject({
  ...taskStatus,
  tenantId: z.string(),
  organizationId: z.string().nullable(),
  title: z.string(),
  userId: z.string(),
  prompt: z.string().nullable(),
  language: z.enum(LANGUAGES),
  imageSource: z.enum(IMAGE_SOURCES),
  speech: z.boolean(),
  priority: z.number().int(),
  retryCount: z.number().int(),
  maxRetries: z.number().int(),
  error: z.string().nullable(),
  errorCode: z.string().nullable(),
  elapsedTime: z.number().int().nullable().describe("Milliseconds that the last ended phase was at work."),
  scheduledTime: time,
  createdAt: time,
  startedAt: time.nullable().describe("When its current phase started work, the last time."),
  completedAt: time.nullable().describe("When it was completed, failed or was cancelled."),
  progress: z.number().nullable().describe("Of the phase at work, from 0 to 1."),
  waitsFor: z
    .strictObject({ event: z.enum(["images", "service"]), until: time.nullable() })
    .nullable()
    .describe(
      "What it waits for from outside: images, until when it fails; or a service that is busy or whose quota is used up, until the next try.",
    ),
  allPhases: z.array(z.string()).describe("All phases of this task in their order."),
  hasVideo: z.boolean().describe("Whether `/tasks/:id/video` has the film."),
  metadata: z.record(z.string(), z.unknown()).describe("What its completed phases made, by their names."),
  pendingDecision: shownDecision,
  images: z.array(image),
  phases: z.array(phase).describe("Phases that it has reached."),
  logs: z.array(logLine).describe("The latest 200 lines, oldest first."),
});

const cancelled = z.strictObject({ ...taskStatus, pendingDecision });

const OF_ONE = ["TASK_NOT_FOUND", "TASK_STATE"] as const;

const taskRoutes = {
  create: route({
    method: "POST",
    path: "/tasks",
    access: "tasks.write",
    summary: "Creates a task that makes a film from a title. Takes an Idempotency-Key.",
    status: 201,
    body: z.strictObject({
      title: text(500).refine(isNotBlank, NOT_BLANK).describe("The title of the film."),
      userId: text(200).optional().describe("The user that the task belongs to. Default: the caller."),
      scheduledTime: time.optional().describe("Not before this time. Default: now."),
      priority: z
        .number()
        .int()
        .min(-MOST_PRIORITY)
        .max(MOST_PRIORITY)
        .optional()
        .describe("Higher goes first, from -1,000,000 to 1,000,000. Default: 0."),
      prompt: text(20_000).optional().describe("What the film is about. Default: its title."),
      script: text(50_000)
        .refine(isNotBlank, NOT_BLANK)
        .optional()
        .describe("The text of the film, one paragraph per scene. Default: the phase `script` writes it."),
      images: imageUrls
        .optional()
        .describe("Addresses of images to fetch, at most 100. Default: the task waits for images."),
      imageSource: z
        .enum(IMAGE_SOURCES)
        .optional()
        .describe(
          "`upload`: the task waits for images. `titles`: each scene is a card with its text. Default: `upload`.",
        ),
      speech: z.boolean().optional().describe("Whether the film speaks its text. Default: false."),
      language: z
        .enum(LANGUAGES)
        .optional()
        .describe(
          "The language of script and speech. Default: Korean where title, prompt or script have Korean letters, else English.",
        ),
    }),
    answer: z.strictObject(taskStatus),
    errors: ["IDEMPOTENCY_CONFLICT"],
  }),
  list: route({
    method: "GET",
    path: "/tasks",
    access: "tasks.read",
    summary: "Tasks of one tab, newest scheduled time first.",
    query: z.strictObject({
      ...paging,
      tab: text(100)
        .optional()
        .describe(
          "The tab: `scheduled`, `failed`, `completed`, `cancelled`, or a phase such as `script`. Default: all tasks.",
        ),
      text: text(200)
        .optional()
        .describe("Only those with this text in their title, in upper or lower case."),
    }),
    answer: pageOf(listed),
  }),
  counts: route({
    method: "GET",
    path: "/tasks/counts",
    access: "tasks.read",
    summary: "How many tasks each tab has.",
    answer: z
      .object({
        scheduled: z.number().int(),
        script: z.number().int(),
        image: z.number().int(),
        video: z.number().int(),
        youtube: z.number().int(),
        failed: z.number().int(),
        completed: z.number().int(),
      })
      .catchall(z.number().int()),
  }),
  show: route({
    method: "GET",
    path: "/tasks/:id",
    access: "tasks.read",
    summary: "A task: its phases with their times and results, its images and its log.",
    params: id,
    answer: task,
    errors: ["TASK_NOT_FOUND"],
  }),
  retry: route({
    method: "POST",
    path: "/tasks/:id/retry",
    access: "tasks.write",
    summary: "Tries the failed phase of a task again.",
    params: id,
    body: z
      .strictObject({
        force: z
          .boolean()
          .optional()
          .describe(
            "`true`: retries beyond `studio.maxRetries`; needs the permission `admin`. Default: false.",
          ),
        reason: reason.optional(),
      })
      .prefault({}),
    answer: z.strictObject({ ...taskStatus, retryCount: z.number().int() }),
    errors: [...OF_ONE, "TASK_RETRIES", "FORBIDDEN"],
  }),
  cancel: route({
    method: "POST",
    path: "/tasks/:id/cancel",
    access: "tasks.write",
    summary:
      "Cancels a task for good. A task that is at work stays `processing` until its work has stopped; it always ends as `cancelled`.",
    params: id,
    body: optionalReason,
    answer: cancelled,
    accepted: cancelled,
    errors: [...OF_ONE, "DECISION_PENDING"],
  }),
  remove: route({
    method: "DELETE",
    path: "/tasks/:id",
    access: "tasks.write",
    summary: "Deletes a task that is not at work, with all its files.",
    params: id,
    query: z.strictObject({ reason: reason.optional() }),
    answer: z.strictObject({ success: z.literal(true), taskId: z.string() }),
    errors: OF_ONE,
  }),
  addImages: route({
    method: "POST",
    path: "/tasks/:id/images",
    access: "tasks.write",
    summary:
      "Adds images to a task that has not left its image phase: a multipart upload with fields `images`, or JSON `{ urls }`, answered 202; the phase then fetches them.",
    status: 201,
    takes: "multipart",
    fileField: "images",
    params: id,
    body: z.strictObject({
      urls: imageUrls
        .min(1)
        .describe("Addresses of images to fetch, 1 to 100, such as those that a crawl found."),
    }),
    answer: z.strictObject({ ...taskStatus, images: z.array(image) }),
    errors: [
      ...OF_ONE,
      "TASK_IMAGE_TYPE",
      "TASK_IMAGE_TOO_LARGE",
      "TASK_IMAGES_TOO_MANY",
      "TASK_FILES_FAILED",
      "MEDIA_TYPE",
    ],
  }),
  image: route({
    method: "GET",
    path: "/tasks/:id/images/:number",
    access: "tasks.read",
    summary: "One image of a task.",
    media: "image/*",
    params: z.strictObject({ id: text(200), number: z.coerce.number().int().min(1).max(1_000_000) }),
    answer: z.string(),
    errors: [
      "TASK_NOT_FOUND",
      "TASK_IMAGE_NOT_FOUND",
      "TASK_FILES_FAILED",
      "PRECONDITION_FAILED",
      "RANGE_BEYOND_END",
    ],
  }),
  video: route({
    method: "GET",
    path: "/tasks/:id/video",
    access: "tasks.read",
    summary: "The film of a task, or a range of its bytes.",
    media: "video/mp4",
    params: id,
    answer: z.string(),
    errors: [
      "TASK_NOT_FOUND",
      "TASK_VIDEO_NOT_READY",
      "TASK_FILES_FAILED",
      "PRECONDITION_FAILED",
      "RANGE_BEYOND_END",
    ],
  }),
} as const;

/** The API of this app. */
export const STUDIO_ROUTES = { tasks: taskRoutes } as const satisfies RouteTable;
