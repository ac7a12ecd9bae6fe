import type { Answer } from "@andon/client";
import { clientFor } from "@andon/console/room";
import { VAULT_ROUTES } from "../contract/routes.ts";

type Routes = typeof VAULT_ROUTES;

/** A client for the vault's routes, in the reader's language. */
export const vault = clientFor(VAULT_ROUTES);

export const ROOT = "root";
export const SYNC_QUEUE = "nas-sync";

/** The lane of a file's operations. */
export const laneOf = (fileId: string) => `file:${fileId}`;

export type FolderPage = Answer<Routes["folders"]["show"]>;
export type Child = FolderPage["children"]["items"][number];
export type ChildFolder = Extract<Child, { kind: "folder" }>;
export type FileEntry = Answer<Routes["files"]["show"]>;
export type Availability = FileEntry["storage"][number]["availabilityStatus"];
export type SyncStatus = Answer<Routes["files"]["syncStatus"]>;
export type QueueStatus = SyncStatus["queueStatus"];
export type Uploaded = Answer<Routes["files"]["upload"]>;
export type Trashed = Answer<Routes["trash"]["list"]>["items"][number];
export type HeldFile = Answer<Routes["syncQueue"]["held"]>["items"][number];
export type Simulation = Answer<Routes["syncQueue"]["simulate"]>;
export type Choice = Simulation["choices"][number];
export type DriftRun = Answer<Routes["drift"]["show"]>;
export type Finding = Answer<Routes["drift"]["findings"]>["items"][number];
export type DriftKind = Finding["kind"];

/** The file or folder of a dialog. */
export interface Item {
  readonly kind: "file" | "folder";
  readonly id: string;
  readonly name: string;
  /** The folder that contains it. */
  readonly folderId: string | null;
}

/** The availability of a file on the NAS. */
export function onNas({ storage }: Pick<FileEntry, "storage">): Availability {
  return storage.find(({ type }) => type === "NAS")?.availabilityStatus ?? "ABSENT";
}
