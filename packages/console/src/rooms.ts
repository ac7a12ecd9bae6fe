import type { Permission } from "@andon/contract";
import {
  Bell,
  CalendarClock,
  Cpu,
  FolderTree,
  Hand,
  KeyRound,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  ScanSearch,
  ScrollText,
  Settings,
  Trash2,
} from "lucide-react";
import type { ComponentType } from "react";
import type { Words } from "./words/en.ts";
import { en } from "./words/en.ts";
import { ko } from "./words/ko.ts";

/** One page of the console. An app adds its own by adding an entry here. */
export interface Room {
  /** Its address; `$name` is a parameter. */
  readonly path: string;
  readonly label: { readonly ko: string; readonly en: string };
  readonly icon: LucideIcon;
  readonly permission?: Permission;
  /** The app that it belongs to: a server without it has no such room. */
  readonly app?: "vault";
  /** It concerns all tenants: a key with a scope does not see it. */
  readonly whole?: true;
  /** `false`: reached by links alone. */
  readonly inMenu?: false;
  /** It stays in the bar of a phone, which has no place for all. */
  readonly onPhone?: true;
  readonly component: () => Promise<{ default: ComponentType }>;
}

const label = (of: (words: Words) => string) => ({ ko: of(ko), en: of(en) });

export const ROOMS: readonly Room[] = [
  {
    path: "/",
    label: label((words) => words.board.title),
    icon: LayoutDashboard,
    permission: "queue.read",
    onPhone: true,
    component: () => import("./board/board.tsx"),
  },
  {
    path: "/queues/$queue",
    label: label((words) => words.queue.title),
    icon: LayoutDashboard,
    permission: "queue.read",
    inMenu: false,
    component: () => import("./queue/queue-room.tsx"),
  },
  {
    path: "/jobs",
    label: label((words) => words.jobs.title),
    icon: ListTree,
    permission: "queue.read",
    onPhone: true,
    component: () => import("./jobs/jobs-room.tsx"),
  },
  {
    path: "/jobs/$id",
    label: label((words) => words.job.title),
    icon: ListTree,
    permission: "queue.read",
    inMenu: false,
    component: () => import("./job/job-room.tsx"),
  },
  {
    path: "/vault/files",
    label: { ko: "파일", en: "Files" },
    icon: FolderTree,
    permission: "files.read",
    app: "vault",
    onPhone: true,
    component: () => import("./vault/files/files-room.tsx"),
  },
  {
    path: "/vault/files/$folderId",
    label: { ko: "폴더", en: "Folder" },
    icon: FolderTree,
    permission: "files.read",
    app: "vault",
    inMenu: false,
    component: () => import("./vault/files/files-room.tsx"),
  },
  {
    path: "/vault/files/file/$id",
    label: { ko: "파일", en: "File" },
    icon: FolderTree,
    permission: "files.read",
    app: "vault",
    inMenu: false,
    component: () => import("./vault/file/file-room.tsx"),
  },
  {
    path: "/vault/held",
    label: { ko: "보류 파일", en: "Held files" },
    icon: Hand,
    permission: "queue.read",
    app: "vault",
    component: () => import("./vault/held/held-room.tsx"),
  },
  {
    path: "/vault/trash",
    label: { ko: "휴지통", en: "Trash" },
    icon: Trash2,
    permission: "files.read",
    app: "vault",
    component: () => import("./vault/trash/trash-room.tsx"),
  },
  {
    path: "/vault/drift",
    label: { ko: "대조", en: "Drift" },
    icon: ScanSearch,
    permission: "queue.read",
    whole: true,
    app: "vault",
    component: () => import("./vault/drift/drift-room.tsx"),
  },
  {
    path: "/alerts",
    label: label((words) => words.alerts.title),
    icon: Bell,
    permission: "queue.read",
    whole: true,
    onPhone: true,
    component: () => import("./alerts/alerts-room.tsx"),
  },
  {
    path: "/schedules",
    label: label((words) => words.schedules.title),
    icon: CalendarClock,
    permission: "queue.read",
    whole: true,
    component: () => import("./schedules/schedules-room.tsx"),
  },
  {
    path: "/workers",
    label: label((words) => words.workers.title),
    icon: Cpu,
    permission: "queue.read",
    whole: true,
    component: () => import("./workers/workers-room.tsx"),
  },
  {
    path: "/audit",
    label: label((words) => words.audit.title),
    icon: ScrollText,
    permission: "queue.read",
    component: () => import("./audit/audit-room.tsx"),
  },
  {
    path: "/keys",
    label: label((words) => words.apiKeys.title),
    icon: KeyRound,
    permission: "admin",
    whole: true,
    component: () => import("./keys/keys-room.tsx"),
  },
  {
    path: "/settings",
    label: label((words) => words.settings.title),
    icon: Settings,
    component: () => import("./settings/settings-room.tsx"),
  },
];
