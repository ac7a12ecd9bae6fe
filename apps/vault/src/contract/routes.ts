// The API of the vault, one table in one file: the shapes are beside the routes that use them.
import { type RouteTable, route } from "@andon/contract";
import {
  flag,
  json,
  optionalReason,
  pageOf,
  paging,
  pendingDecision,
  reason,
  requiredReason,
  shownDecision,
  text,
  textOrEmpty,
  time,
} from "@andon/contract/wire";
import * as z from "zod";

/*
 * One file though it is long: it is one table, and the console's build replaces this module as a whole by a table
 * without schemas.
 */

const id = z.strictObject({ id: text(100) });
const fileId = z.strictObject({ fileId: text(100) });
/**
 * Without a length limit, so that the rules for names answer for every name; only the limit of request bodies applies
 * before.
 */
const name = z.string().describe("1 to 255 bytes of UTF-8; no `/`, `\\` or control characters.");

const FILE_STATES = ["ACTIVE", "TRASHED"] as const;
const FOLDER_STATES = ["ACTIVE", "TRASHING", "TRASHED"] as const;
export const AVAILABILITY = ["AVAILABLE", "PENDING", "ERROR", "ABSENT"] as const;
export const SYNC_OPERATIONS = ["UPLOAD", "MOVE", "RENAME", "TRASH", "DELETE", "RESTORE"] as const;
export type SyncOperation = (typeof SYNC_OPERATIONS)[number];

const folder = z.strictObject({
  id: z.string().describe("The root's id is `root`."),
  name: z.string(),
  parentId: z.string().nullable(),
  path: z.string().describe("From the root, beginning with `/`."),
  state: z.enum(FOLDER_STATES),
});

const fileEntry = z.strictObject({
  id: z.string(),
  name: z.string(),
  folderId: z.string(),
  path: z.string(),
  state: z.enum(FILE_STATES),
  size: z.number().int(),
  mimeType: z.string(),
  sha256: z.string(),
  createdAt: time,
  updatedAt: time,
  storage: z.array(
    z.strictObject({ type: z.enum(["CACHE", "NAS"]), availabilityStatus: z.enum(AVAILABILITY) }),
  ),
});

const child = z.union([
  folder.extend({ kind: z.literal("folder") }),
  fileEntry.extend({
    kind: z.literal("file"),
    queueStatus: z.enum(["IDLE", "PENDING", "PROCESSING", "HELD"]),
  }),
]);

/** Part of the answer to every change of a file: the operation that copies the change to the NAS. */
const queued = {
  syncQueueId: z.string().describe("The UUID of the operation."),
  queuePosition: z.number().int().describe("Unfinished operations of this file, this one included."),
};

const trashEntry = z.strictObject({
  kind: z.enum(["file", "folder"]),
  id: z.string(),
  name: z.string(),
  originalPath: z.string(),
  size: z.number().int().nullable(),
  deletedAt: time,
  expiresAt: time,
});

const NAMING = [
  "INVALID_NAME",
  "NAME_TAKEN",
  "FOLDER_NOT_FOUND",
  "PARENT_TRASHED",
  "FOLDER_PATH_TOO_LONG",
] as const;

const folderRoutes = {
  create: route({
    method: "POST",
    path: "/folders",
    access: "files.write",
    summary: "Creates a folder. Takes an Idempotency-Key.",
    status: 201,
    body: z.strictObject({
      name,
      parentId: text(100).optional().describe("The folder that it is created in. Default: the root."),
    }),
    answer: folder,
    errors: [...NAMING, "IDEMPOTENCY_CONFLICT"],
  }),
  show: route({
    method: "GET",
    path: "/folders/:id",
    access: "files.read",
    summary: "A folder, and a page of its entries: folders first, then files, each by name.",
    params: id,
    query: z.strictObject({
      ...paging,
      text: text(200)
        .optional()
        .describe("Only entries with this text in their name, in upper or lower case."),
    }),
    answer: folder.extend({ children: pageOf(child) }),
    errors: ["FOLDER_NOT_FOUND"],
  }),
  rename: route({
    method: "PUT",
    path: "/folders/:id/rename",
    access: "files.write",
    summary: "Renames a folder at once; on the NAS every file below it is moved afterwards.",
    params: id,
    body: z.strictObject({ newName: name }),
    answer: folder.extend({ affectedFiles: z.number().int(), operationId: z.string().nullable() }),
    errors: [...NAMING, "FOLDER_ALREADY_TRASHED", "ROOT_FOLDER"],
  }),
  move: route({
    method: "POST",
    path: "/folders/:id/move",
    access: "files.write",
    summary: "Moves a folder at once; on the NAS every file below it is moved afterwards.",
    params: id,
    body: z.strictObject({
      targetFolderId: text(100).describe("The folder to move it to; `root` is the root."),
    }),
    answer: folder.extend({ affectedFiles: z.number().int(), operationId: z.string().nullable() }),
    errors: [...NAMING, "FOLDER_ALREADY_TRASHED", "FOLDER_CYCLE", "ROOT_FOLDER"],
  }),
  remove: route({
    method: "DELETE",
    path: "/folders/:id",
    access: "files.write",
    summary: "Moves an empty folder to the trash.",
    params: id,
    answer: z.strictObject({
      id: z.string(),
      name: z.string(),
      state: z.literal("TRASHED"),
      deletedAt: time,
      expiresAt: time,
    }),
    errors: [
      "FOLDER_NOT_FOUND",
      "FOLDER_ALREADY_TRASHED",
      "FOLDER_NOT_EMPTY",
      "FOLDER_SYNC_PENDING",
      "NAS_SYNC_FAILED",
      "ROOT_FOLDER",
    ],
  }),
  restore: route({
    method: "POST",
    path: "/folders/:id/restore",
    access: "files.write",
    summary: "Restores a folder from the trash.",
    params: id,
    body: optionalReason,
    answer: folder,
    errors: [...NAMING, "NOT_TRASHED", "NAS_SYNC_FAILED", "ROOT_FOLDER"],
  }),
  operation: route({
    method: "GET",
    path: "/folder-operations/:id",
    access: "files.read",
    summary: "The progress of a rename or move of a folder on the NAS.",
    params: id,
    answer: z.strictObject({
      id: z.string(),
      folderId: z.string(),
      kind: z.enum(["RENAME", "MOVE"]),
      state: z.enum(["RUNNING", "DONE", "HELD"]),
      total: z.number().int(),
      done: z.number().int(),
      failed: z.number().int(),
      createdAt: time,
    }),
    errors: ["OPERATION_NOT_FOUND"],
  }),
};

const changed = z.strictObject({
  id: z.string(),
  name: z.string(),
  folderId: z.string(),
  path: z.string(),
  state: z.enum(FILE_STATES),
  ...queued,
});

const operation = z.strictObject({ type: z.enum(SYNC_OPERATIONS), seq: z.number().int() });

const fileRoutes = {
  upload: route({
    method: "POST",
    path: "/files/upload",
    access: "files.write",
    summary:
      "Uploads a file: field `folderId` first (absent: the root), then field `file`. Takes an Idempotency-Key.",
    takes: "multipart",
    fields: z.strictObject({
      folderId: textOrEmpty(100).optional().describe("The folder it goes to. Default: the root."),
    }),
    answer: z.strictObject({
      fileId: z.string(),
      name: z.string(),
      folderId: z.string(),
      size: z.number().int(),
      sha256: z.string(),
      ...queued,
    }),
    errors: [...NAMING, "UPLOAD_INCOMPLETE", "UPLOAD_TOO_LARGE", "CACHE_FAILED", "IDEMPOTENCY_CONFLICT"],
  }),
  list: route({
    method: "GET",
    path: "/files",
    access: "files.read",
    summary: "Files of all folders, by name.",
    query: z.strictObject({
      ...paging,
      text: text(200).optional().describe("Only files with this text in their name, in upper or lower case."),
      availabilityStatus: z.enum(AVAILABILITY).optional().describe("Only files with this state on the NAS."),
    }),
    answer: pageOf(fileEntry),
  }),
  show: route({
    method: "GET",
    path: "/files/:id",
    access: "files.read",
    summary: "A file.",
    params: id,
    answer: fileEntry,
    errors: ["FILE_NOT_FOUND"],
  }),
  content: route({
    method: "GET",
    path: "/files/:id/content",
    access: "files.read",
    summary: "The bytes of a file, from the cache or the NAS; ranges and conditions by ETag work.",
    params: id,
    answer: z.string(),
    media: "application/octet-stream",
    errors: [
      "FILE_NOT_FOUND",
      "BYTES_MISSING",
      "PRECONDITION_FAILED",
      "RANGE_BEYOND_END",
      "NAS_UNREACHABLE",
      "CACHE_UNREACHABLE",
    ],
  }),
  rename: route({
    method: "PUT",
    path: "/files/:id/rename",
    access: "files.write",
    summary: "Renames a file at once; on the NAS it is renamed afterwards.",
    params: id,
    body: z.strictObject({ newName: name }),
    answer: changed,
    errors: [...NAMING, "FILE_NOT_FOUND", "FILE_TRASHED"],
  }),
  move: route({
    method: "POST",
    path: "/files/:id/move",
    access: "files.write",
    summary: "Moves a file to another folder at once; on the NAS it is moved afterwards.",
    params: id,
    body: z.strictObject({
      targetFolderId: text(100).describe("The folder to move it to; `root` is the root."),
    }),
    answer: changed,
    errors: [...NAMING, "FILE_NOT_FOUND", "FILE_TRASHED"],
  }),
  remove: route({
    method: "DELETE",
    path: "/files/:id",
    access: "files.write",
    summary:
      "Moves a file to the trash. With `permanent=true` deletes it for good, whether it is in the trash or not.",
    params: id,
    query: z.strictObject({
      permanent: flag.optional().describe("`true`: deletes the file for good. Default: false."),
    }),
    answer: z.strictObject({
      id: z.string(),
      name: z.string(),
      state: z.enum(["TRASHED", "DELETED"]),
      deletedAt: time,
      expiresAt: time.nullable(),
      ...queued,
    }),
    errors: ["FILE_NOT_FOUND", "FILE_TRASHED"],
  }),
  restore: route({
    method: "POST",
    path: "/files/:id/restore",
    access: "files.write",
    summary: "Restores a file from the trash to where it was.",
    params: id,
    body: optionalReason,
    answer: changed,
    errors: [...NAMING, "FILE_NOT_FOUND", "NOT_TRASHED"],
  }),
  syncStatus: route({
    method: "GET",
    path: "/files/:id/sync-status",
    access: "files.read",
    summary: "The operations of a file on the NAS: the current one, those that wait, and those that ended.",
    params: id,
    answer: z.strictObject({
      fileId: z.string(),
      queueStatus: z.enum(["IDLE", "PENDING", "PROCESSING", "HELD"]),
      currentOperation: operation
        .extend({
          status: z.enum(["IN_PROGRESS", "RETRYING", "FAILED"]),
          startedAt: time.nullable(),
          retryCount: z.number().int(),
          error: z.string().nullable(),
        })
        .nullable(),
      pendingOperations: z.array(operation),
      completedOperations: z.array(
        operation.extend({
          status: z.enum(["DONE", "SKIPPED", "CANCELLED", "FAILED"]),
          completedAt: time.nullable(),
        }),
      ),
    }),
    errors: ["FILE_NOT_FOUND"],
  }),
};

const trashRoutes = {
  list: route({
    method: "GET",
    path: "/trash",
    access: "files.read",
    summary: "Files and folders in the trash, those that expire first first.",
    query: z.strictObject(paging),
    answer: pageOf(trashEntry),
  }),
};

const settled = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  fileId: z.string(),
  syncQueueId: z.string(),
  affected: z.number().int().describe("Operations that the decision changed."),
  pendingDecision,
});

const skipped = settled.extend({ availabilityStatus: z.enum(AVAILABILITY) });

const syncQueueRoutes = {
  retry: route({
    method: "POST",
    path: "/admin/sync-queue/:fileId/retry",
    access: "queue.operate",
    summary: "Queues a failed operation of a file again: the one that holds the file, else the newest.",
    params: fileId,
    body: optionalReason,
    answer: settled,
    errors: ["FILE_NOT_FOUND", "FILE_NOT_HELD"],
  }),
  skip: route({
    method: "POST",
    path: "/admin/sync-queue/:fileId/skip",
    access: "queue.operate",
    summary:
      "Skips the failed operation of a file; its later operations go on. `availabilityStatus`: whether the right bytes are on the NAS.",
    params: fileId,
    body: z.strictObject({ reason: requiredReason }),
    answer: skipped,
    accepted: skipped,
    errors: ["FILE_NOT_FOUND", "FILE_NOT_HELD", "DECISION_PENDING"],
  }),
  cancel: route({
    method: "POST",
    path: "/admin/sync-queue/:fileId/cancel",
    access: "queue.operate",
    summary: "Skips the failed operation of a file, and cancels its operations that wait behind it.",
    params: fileId,
    body: optionalReason,
    answer: settled,
    accepted: settled,
    errors: ["FILE_NOT_FOUND", "FILE_NOT_HELD", "DECISION_PENDING"],
  }),
  simulate: route({
    method: "GET",
    path: "/admin/sync-queue/:fileId/simulate",
    access: "queue.read",
    summary:
      "Compares retry, skip and cancel of a held file: where its bytes would be, and what its later operations would do. Changes nothing.",
    params: fileId,
    answer: z.strictObject({
      fileId: z.string(),
      databasePath: z.string(),
      nasPath: z.string().nullable().describe("Where the bytes are now."),
      occupied: z
        .strictObject({
          path: z.string(),
          kind: z.enum(["file", "folder", "other"]),
          size: z.number().int(),
        })
        .optional()
        .describe(
          "What is in the way at the failed operation's target; while it is there, a retry fails again.",
        ),
      choices: z.array(
        z.strictObject({
          action: z.enum(["retry", "skip", "cancel"]),
          endsAt: z.string().nullable().describe("Where the bytes would be in the end."),
          matches: z.boolean().describe("Whether that is where the database says the file is."),
          operations: z.array(
            operation.extend({
              outcome: z.enum(["RUNS", "SKIPPED", "CANCELLED"]),
              from: z.string().nullable(),
              to: z.string().nullable(),
            }),
          ),
        }),
      ),
    }),
    errors: ["FILE_NOT_FOUND", "FILE_NOT_HELD"],
  }),
  held: route({
    method: "GET",
    path: "/admin/sync-queue/held",
    access: "queue.read",
    summary:
      "Held files with the failed operation, its error and the number of operations that wait, longest held first.",
    query: z.strictObject(paging),
    answer: pageOf(
      z.strictObject({
        fileId: z.string(),
        name: z.string(),
        path: z.string(),
        heldAt: time,
        operation: z.enum(SYNC_OPERATIONS),
        error: z.string().nullable(),
        waitingBehind: z.number().int(),
        jobId: z.string(),
        pendingDecision: shownDecision,
      }),
    ),
  }),
};

const DRIFT_KINDS = [
  "MISSING_ON_NAS",
  "MISSING_IN_CACHE",
  "SIZE_DIFFERS",
  "CHECKSUM_DIFFERS",
  "UNKNOWN_ON_NAS",
  "LEFTOVER_TEMPORARY",
] as const;

const driftRun = z.strictObject({
  id: z.string(),
  jobId: z.string().describe("The job that compares: its last error and its next try."),
  state: z.enum(["RUNNING", "DONE", "FAILED"]),
  checksum: z.boolean(),
  startedAt: time,
  finishedAt: time.nullable(),
  filesChecked: z.number().int(),
  filesLeftOut: z
    .number()
    .int()
    .optional()
    .describe(
      "How many of them were not compared, since they were held or being changed; absent: no longer known.",
    ),
  findings: z.number().int(),
  error: z.string().nullable(),
});

const driftRoutes = {
  start: route({
    method: "POST",
    path: "/admin/vault/verify",
    access: "queue.operate",
    reach: "whole",
    summary: "Starts a comparison of database, cache and NAS: by size, with `checksum` by content.",
    status: 202,
    body: z
      .strictObject({
        checksum: z
          .boolean()
          .optional()
          .describe("`true`: also reads every file and compares its checksum. Default: false, sizes alone."),
        reason: reason.optional(),
      })
      .prefault({}),
    answer: driftRun,
  }),
  show: route({
    method: "GET",
    path: "/admin/vault/verify/:id",
    access: "queue.read",
    reach: "whole",
    summary: "The progress of a comparison; as `:id`, `latest` is the newest one.",
    params: id,
    answer: driftRun,
    errors: ["DRIFT_RUN_NOT_FOUND"],
  }),
  findings: route({
    method: "GET",
    path: "/admin/vault/verify/:id/findings",
    access: "queue.read",
    reach: "whole",
    summary: "The differences that a comparison found.",
    params: id,
    query: z.strictObject({
      ...paging,
      kind: z.enum(DRIFT_KINDS).optional().describe("Only findings of this kind."),
      open: flag.optional().describe("`true`: only findings for which no repair is queued. Default: false."),
    }),
    answer: pageOf(
      z.strictObject({
        kind: z.enum(DRIFT_KINDS),
        path: z.string(),
        fileId: z.string().nullable(),
        expected: json,
        found: json,
        repair: z
          .enum(["UPLOAD_AGAIN", "FETCH_TO_CACHE", "REMOVE_TEMPORARY", "NONE"])
          .describe("What a repair would do."),
        repairedBy: z.string().nullable().describe("The operation that repairs it."),
      }),
    ),
    errors: ["DRIFT_RUN_NOT_FOUND"],
  }),
  repair: route({
    method: "POST",
    path: "/admin/vault/verify/:id/repair",
    access: "queue.operate",
    reach: "whole",
    summary: "Queues repairs of all findings that can be repaired. Unknown files are never deleted.",
    params: id,
    body: optionalReason,
    answer: z.strictObject({ success: z.literal(true), queued: z.number().int(), left: z.number().int() }),
    errors: ["DRIFT_RUN_NOT_FOUND"],
  }),
};

export const VAULT_ROUTES = {
  folders: folderRoutes,
  files: fileRoutes,
  trash: trashRoutes,
  syncQueue: syncQueueRoutes,
  drift: driftRoutes,
} as const satisfies RouteTable;
