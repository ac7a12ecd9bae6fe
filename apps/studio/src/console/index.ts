import { defineConsoleApp } from "@andon/console/app";
import { Clapperboard } from "lucide-react";
import { STUDIO_CODES } from "./i18n/codes.ts";

export default defineConsoleApp({
  name: "studio",
  words: STUDIO_CODES,
  queues: {
    studio: {
      aboutJob: () => import("./parts/job-task.tsx"),
      jobDecision: () => import("./parts/job-decision.tsx"),
      jobPage: {
        label: { ko: "영상 작업", en: "Film task" },
        permission: "tasks.read",
        address: (id) => `/studio/tasks/${encodeURIComponent(id)}`,
      },
      nameOfFailed: ({ data }) => titleIn(data),
    },
    "studio-cleanup": {},
  },
  search: {
    label: { ko: "영상 작업", en: "Film tasks" },
    permission: "tasks.read",
    load: () => import("./find-tasks.ts"),
  },
  rooms: [
    {
      path: "/studio/tasks",
      label: { ko: "영상 작업", en: "Film tasks" },
      icon: Clapperboard,
      permission: "tasks.read",
      component: () => import("./tasks/tasks-room.tsx"),
    },
    {
      path: "/studio/tasks/$id",
      label: { ko: "영상 작업", en: "Film task" },
      icon: Clapperboard,
      permission: "tasks.read",
      inMenu: false,
      component: () => import("./task/task-room.tsx"),
    },
  ],
});

/** Shown instead of the task's id, because it says more. */
function titleIn(data: unknown): string | undefined {
  const title = data && typeof data === "object" && "title" in data ? data.title : undefined;
  return typeof title === "string" ? title : undefined;
}
