import { defineConsoleApp } from "@andon/console/app";
import { Archive, CalendarClock, ChartNoAxesColumn, FileCog, Workflow } from "lucide-react";
import { FILEFLOW_CODES } from "./i18n/codes.ts";

export default defineConsoleApp({
  name: "fileflow",
  words: FILEFLOW_CODES,
  queues: {
    fileflow: {
      aboutJob: () => import("./parts/job-execution.tsx"),
      jobDecision: () => import("./parts/job-decision.tsx"),
      onQueue: () => import("./parts/queue-figures.tsx"),
      nameOfFailed: ({ data }) => objectIn(data),
    },
    "fileflow-schedules": {},
  },
  search: {
    label: { ko: "실행", en: "Executions" },
    permission: "pipeline.read",
    load: () => import("./find-executions.ts"),
  },
  rooms: [
    {
      path: "/fileflow/executions",
      label: { ko: "실행", en: "Executions" },
      icon: FileCog,
      permission: "pipeline.read",
      component: () => import("./executions/executions-room.tsx"),
    },
    {
      path: "/fileflow/executions/$id",
      label: { ko: "실행", en: "Execution" },
      icon: FileCog,
      permission: "pipeline.read",
      inMenu: false,
      component: () => import("./execution/execution-room.tsx"),
    },
    {
      path: "/fileflow/pipelines",
      label: { ko: "파이프라인", en: "Pipelines" },
      icon: Workflow,
      permission: "pipeline.read",
      component: () => import("./pipelines/pipelines-room.tsx"),
    },
    {
      path: "/fileflow/dlq",
      label: { ko: "DLQ", en: "DLQ" },
      icon: Archive,
      permission: "dlq.read",
      component: () => import("./dlq/dlq-room.tsx"),
    },
    {
      path: "/fileflow/dlq/$id",
      label: { ko: "DLQ 메시지", en: "Dead letter" },
      icon: Archive,
      permission: "dlq.read",
      inMenu: false,
      component: () => import("./dlq/letter-room.tsx"),
    },
    {
      path: "/fileflow/figures",
      label: { ko: "파이프라인 지표", en: "Pipeline figures" },
      icon: ChartNoAxesColumn,
      permission: "queue.read",
      whole: true,
      component: () => import("./figures/figures-room.tsx"),
    },
    {
      path: "/fileflow/schedules",
      label: { ko: "파이프라인 스케줄", en: "Pipeline schedules" },
      icon: CalendarClock,
      permission: "pipeline.read",
      component: () => import("./schedules/schedules-room.tsx"),
    },
  ],
});

/** The object's path, because it says more than the file's id. */
function objectIn(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { bucket, key, fileId } = data as Record<string, unknown>;
  if (typeof bucket === "string" && typeof key === "string") return `${bucket}/${key}`;
  return typeof fileId === "string" ? fileId : undefined;
}
