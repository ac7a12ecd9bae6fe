import { defineConsoleApp } from "@andon/console/app";
import { FolderTree, Hand, ScanSearch, Trash2 } from "lucide-react";
import { VAULT_CODES } from "./i18n/codes.ts";

export default defineConsoleApp({
  name: "vault",
  words: VAULT_CODES,
  queues: {
    "nas-sync": {
      aboutJob: () => import("./parts/job-file.tsx"),
      jobDecision: () => import("./parts/job-decision.tsx"),
      onQueue: () => import("./parts/held-count.tsx"),
      nameOfFailed: ({ data }) => nasPathIn(data),
    },
    vault: {},
    "vault-drift": {},
  },
  search: {
    label: { ko: "파일", en: "Files" },
    permission: "files.read",
    load: () => import("./find-files.ts"),
  },
  rooms: [
    {
      path: "/vault/files",
      label: { ko: "파일", en: "Files" },
      icon: FolderTree,
      permission: "files.read",
      onPhone: true,
      component: () => import("./files/files-room.tsx"),
    },
    {
      path: "/vault/files/$folderId",
      label: { ko: "폴더", en: "Folder" },
      icon: FolderTree,
      permission: "files.read",
      inMenu: false,
      component: () => import("./files/files-room.tsx"),
    },
    {
      path: "/vault/files/file/$id",
      label: { ko: "파일", en: "File" },
      icon: FolderTree,
      permission: "files.read",
      inMenu: false,
      component: () => import("./file/file-room.tsx"),
    },
    {
      path: "/vault/held",
      label: { ko: "보류 파일", en: "Held files" },
      icon: Hand,
      permission: "queue.read",
      component: () => import("./held/held-room.tsx"),
    },
    {
      path: "/vault/trash",
      label: { ko: "휴지통", en: "Trash" },
      icon: Trash2,
      permission: "files.read",
      component: () => import("./trash/trash-room.tsx"),
    },
    {
      path: "/vault/drift",
      label: { ko: "대조", en: "Drift" },
      icon: ScanSearch,
      permission: "queue.read",
      whole: true,
      component: () => import("./drift/drift-room.tsx"),
    },
  ],
});

/** The path of a failed operation tells more than the file's id. */
function nasPathIn(data: unknown): string | undefined {
  const path = data && typeof data === "object" && "nasPath" in data ? data.nasPath : undefined;
  return typeof path === "string" ? path : undefined;
}
