import { api, keepPreviousData } from "@andon/console/room";
import { type Availability, type DriftKind, type FolderPage, vault } from "./api.ts";

const list = { placeholderData: keepPreviousData };
/** The most folders in one branch of the tree; further ones are only in the list. */
export const MOST_IN_TREE = 100;
const RUNS_KEPT = 10;

type Asked = { signal: AbortSignal };
/** An address can contain an empty text, which the API refuses. */
const textIn = (text: string | undefined) => (text ? { text } : {});

export const vaultQueries = {
  folder: (id: string, text: string | undefined, page: number) => ({
    ...list,
    queryKey: ["vault", "folder", id, text, page],
    queryFn: ({ signal }: Asked) =>
      vault().folders.show({ id, ...textIn(text), page, limit: 50 }, { signal }),
  }),
  foldersIn: (id: string) => ({
    queryKey: ["vault", "tree", id],
    queryFn: ({ signal }: Asked) => vault().folders.show({ id, limit: MOST_IN_TREE }, { signal }),
  }),
  /** The folders from the root to this one. */
  trail: (id: string) => ({
    queryKey: ["vault", "trail", id],
    queryFn: async ({ signal }: Asked): Promise<readonly Pick<FolderPage, "id" | "name">[]> => {
      const found: Pick<FolderPage, "id" | "name">[] = [];
      for (let next: string | null = id; next !== null; ) {
        const folder: FolderPage = await vault().folders.show({ id: next, limit: 1 }, { signal });
        found.unshift({ id: folder.id, name: folder.name });
        next = folder.parentId;
      }
      return found;
    },
  }),
  operation: (id: string) => ({
    queryKey: ["vault", "operation", id],
    queryFn: ({ signal }: Asked) => vault().folders.operation({ id }, { signal }),
  }),
  files: (text: string | undefined, nas: Availability | undefined, page: number) => ({
    ...list,
    queryKey: ["vault", "files", text, nas, page],
    queryFn: ({ signal }: Asked) =>
      vault().files.list(
        { ...textIn(text), ...(nas ? { availabilityStatus: nas } : {}), page, limit: 50 },
        { signal },
      ),
  }),
  file: (id: string) => ({
    queryKey: ["vault", "file", id],
    queryFn: ({ signal }: Asked) => vault().files.show({ id }, { signal }),
  }),
  syncStatus: (id: string) => ({
    queryKey: ["vault", "sync-status", id],
    queryFn: ({ signal }: Asked) => vault().files.syncStatus({ id }, { signal }),
  }),
  trash: (page: number) => ({
    ...list,
    queryKey: ["vault", "trash", page],
    queryFn: ({ signal }: Asked) => vault().trash.list({ page, limit: 50 }, { signal }),
  }),
  held: (page: number) => ({
    ...list,
    queryKey: ["vault", "held", page],
    queryFn: ({ signal }: Asked) => vault().syncQueue.held({ page, limit: 50 }, { signal }),
  }),
  simulation: (fileId: string) => ({
    queryKey: ["vault", "simulation", fileId],
    queryFn: ({ signal }: Asked) => vault().syncQueue.simulate({ fileId }, { signal }),
  }),
  /** Who started the stored comparisons, and when, from the audit log. */
  driftStarts: () => ({
    queryKey: ["vault", "drift-starts"],
    queryFn: ({ signal }: Asked) => api().audit.list({ action: "drift.start", limit: RUNS_KEPT }, { signal }),
  }),
  drift: (id: string) => ({
    queryKey: ["vault", "drift", id],
    queryFn: ({ signal }: Asked) => vault().drift.show({ id }, { signal }),
  }),
  findings: (id: string, kind: DriftKind | undefined, page: number) => ({
    ...list,
    queryKey: ["vault", "findings", id, kind, page],
    queryFn: ({ signal }: Asked) =>
      vault().drift.findings({ id, ...(kind ? { kind } : {}), page, limit: 50 }, { signal }),
  }),
  /**
   * The number of findings of one kind; with `open`, only those without a queued repair. `findings`: all findings of the
   * comparison so far, so that the number is asked again when it has more of them.
   */
  findingCount: (id: string, kind: DriftKind, open: boolean, findings: number) => ({
    queryKey: ["vault", "finding-count", id, kind, open, findings],
    queryFn: async ({ signal }: Asked) =>
      (await vault().drift.findings({ id, kind, open: open ? "true" : "false", limit: 1 }, { signal })).total,
  }),
};
