import { defineConsoleApp } from "@andon/console/app";
import { Megaphone, RadioTower } from "lucide-react";
import { BROADCAST_CODES } from "./i18n/codes.ts";

export default defineConsoleApp({
  name: "broadcast",
  words: BROADCAST_CODES,
  queues: { broadcast: { aboutJob: () => import("./job-link.tsx") }, "broadcast-push": {} },
  search: {
    label: { ko: "대량 작업", en: "Bulk jobs" },
    permission: "bulk.read",
    load: () => import("./find-bulk-jobs.ts"),
  },
  rooms: [
    {
      path: "/broadcast/jobs",
      label: { ko: "대량 작업", en: "Bulk jobs" },
      icon: Megaphone,
      permission: "bulk.read",
      component: () => import("./jobs-room.tsx"),
    },
    {
      path: "/broadcast/jobs/$id",
      label: { ko: "대량 작업", en: "Bulk job" },
      icon: Megaphone,
      permission: "bulk.read",
      inMenu: false,
      component: () => import("./job-room.tsx"),
    },
    {
      path: "/broadcast/channels",
      label: { ko: "채널", en: "Channels" },
      icon: RadioTower,
      permission: "bulk.read",
      component: () => import("./channels-room.tsx"),
    },
  ],
});
