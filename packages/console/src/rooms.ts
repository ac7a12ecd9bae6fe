import apps from "virtual:installed-apps";
import {
  Bell,
  BookOpen,
  CalendarClock,
  Cpu,
  KeyRound,
  LayoutDashboard,
  ListTree,
  ScrollText,
  Settings,
} from "lucide-react";
import { alertStateOf } from "./alerts/alert-state.ts";
import { queries } from "./api/queries.ts";
import { auditFilterOf } from "./audit/audit-filter-of.ts";
import type { Room } from "./console-app.ts";
import type { Words } from "./i18n/en.ts";
import { wordsIn } from "./i18n/words.ts";
import { jobListAsked } from "./jobs/job-search.ts";
import { pageIn } from "./ui/page-in.ts";

/** A room and its app. A server without the app does not show the room. */
export interface KnownRoom extends Room {
  readonly app?: string;
}

/** Getters, because the words are loaded after this module. */
const label = (of: (words: Words) => string) => ({
  get ko() {
    return of(wordsIn("ko"));
  },
  get en() {
    return of(wordsIn("en"));
  },
});

/** The rooms before those of the apps. */
const FIRST_ROOMS: readonly Room[] = [
  {
    path: "/",
    label: label((words) => words.board.title),
    icon: LayoutDashboard,
    permission: "queue.read",
    onPhone: true,
    component: () => import("./board/board.tsx"),
    asks: () => [queries.allQueues()],
  },
  {
    path: "/queues/$queue",
    label: label((words) => words.queue.title),
    icon: LayoutDashboard,
    permission: "queue.read",
    inMenu: false,
    component: () => import("./queue/queue-room.tsx"),
    asks: ({ params: { queue = "" }, search }) => [
      queries.queue(queue),
      queries.failed(queue, pageIn(search.page)),
    ],
  },
  {
    path: "/jobs",
    label: label((words) => words.jobs.title),
    icon: ListTree,
    permission: "queue.read",
    onPhone: true,
    component: () => import("./jobs/jobs-room.tsx"),
    asks: ({ search }) => jobListAsked(search),
  },
  {
    path: "/jobs/$id",
    label: label((words) => words.job.title),
    icon: ListTree,
    permission: "queue.read",
    inMenu: false,
    component: () => import("./job/job-room.tsx"),
    asks: ({ params: { id = "" } }) => [queries.job(id)],
  },
];

/** The rooms after those of the apps. */
const LAST_ROOMS: readonly Room[] = [
  {
    path: "/alerts",
    label: label((words) => words.alerts.title),
    icon: Bell,
    permission: "queue.read",
    whole: true,
    onPhone: true,
    component: () => import("./alerts/alerts-room.tsx"),
    asks: ({ search }) => [queries.alerts(alertStateOf(search), pageIn(search.page))],
  },
  {
    path: "/schedules",
    label: label((words) => words.schedules.title),
    icon: CalendarClock,
    permission: "queue.read",
    whole: true,
    component: () => import("./schedules/schedules-room.tsx"),
    asks: ({ search }) => [queries.schedules(pageIn(search.page))],
  },
  {
    path: "/workers",
    label: label((words) => words.workers.title),
    icon: Cpu,
    permission: "queue.read",
    whole: true,
    component: () => import("./workers/workers-room.tsx"),
    asks: ({ search }) => [queries.workers(pageIn(search.page))],
  },
  {
    path: "/audit",
    label: label((words) => words.audit.title),
    icon: ScrollText,
    permission: "queue.read",
    component: () => import("./audit/audit-room.tsx"),
    asks: ({ search }) => [queries.audit(auditFilterOf(search), pageIn(search.page))],
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
    path: "/runbooks/$name",
    label: label((words) => words.alerts.runbook),
    icon: BookOpen,
    inMenu: false,
    component: () => import("./runbooks/runbook-room.tsx"),
  },
  {
    path: "/settings",
    label: label((words) => words.settings.title),
    icon: Settings,
    component: () => import("./settings/settings-room.tsx"),
  },
];

const APP_ROOMS = apps.flatMap(({ name, rooms }) => rooms.map((room): KnownRoom => ({ ...room, app: name })));

export const ROOMS: readonly KnownRoom[] = [...FIRST_ROOMS, ...APP_ROOMS, ...LAST_ROOMS];
