import * as z from "zod";
import { route } from "./route.ts";
import { optionalReason } from "./wire.ts";

const demo = z.strictObject({
  state: z
    .enum(["none", "here", "elsewhere"])
    .describe("Whether the demo exists; `elsewhere`: in another process, which started it."),
  queue: z.string().describe("Its queue."),
  isNasAway: z.boolean().describe("Whether the folder that plays the NAS is away."),
});

export const demoRoutes = {
  show: route({
    method: "GET",
    path: "/admin/demo",
    access: "admin",
    reach: "whole",
    summary: "Whether the demo exists, and whether the folder that plays its NAS is there.",
    answer: demo,
  }),
  start: route({
    method: "POST",
    path: "/admin/demo",
    access: "admin",
    reach: "whole",
    summary:
      "Starts the demo: a queue with six jobs that copy files to a folder. In the middle the folder goes away, and the queue stops.",
    status: 201,
    body: optionalReason,
    answer: demo,
    errors: ["DEMO_EXISTS"],
  }),
  plug: route({
    method: "POST",
    path: "/admin/demo/nas",
    access: "admin",
    reach: "whole",
    summary: "Brings the folder of the demo back. Its queue stays stopped until somebody resumes it.",
    body: optionalReason,
    answer: demo,
    errors: ["DEMO_NOT_HERE"],
  }),
  remove: route({
    method: "DELETE",
    path: "/admin/demo",
    access: "admin",
    reach: "whole",
    summary: "Deletes the queue of the demo, its jobs and its files. The audit log stays.",
    answer: demo,
    errors: ["DEMO_NOT_HERE"],
  }),
};
