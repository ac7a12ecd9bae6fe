import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@andon/testkit";
import type { TestServer } from "./harness.ts";

/**
 * Keys of two organisations of one tenant and of the tenant itself, and an object of the first organisation for every
 * kind of path.
 */
export interface OrganizationObjects {
  readonly own: string;
  readonly other: string;
  readonly tenant: string;
  /** The value of a path's parameter, by the beginning of the path. */
  readonly ids: readonly (readonly [path: RegExp, id: string])[];
}

const SYNC = "nas-sync";

export async function makeOrganizationObjects(server: TestServer): Promise<OrganizationObjects> {
  const key = (organizationId?: string) =>
    server.key(["admin"], { tenantId: "acme", ...(organizationId === undefined ? {} : { organizationId }) });
  const [own, other, tenant] = [await key("north"), await key("south"), await key()];
  const ask = async (method: string, path: string, body?: unknown) => {
    const reply = await server.ask(method, path, { token: own, body });
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const folder = await ask("POST", "/folders", { name: "papers" });
  const file = await upload(server, own, folder.id, "a.txt");
  const gone = await upload(server, own, folder.id, "b.txt");
  await ask("DELETE", `/files/${gone.fileId}`);
  const renamed = await ask("PUT", `/folders/${folder.id}/rename`, { newName: "documents" });
  const failed = await failedJob(server);
  const plan = await ask("POST", "/admin/plans", { queue: SYNC, action: "retry" as const, ids: [failed] });
  await ask("POST", "/channels", [{ id: "channel-of-north" }]);
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const bulk = await ask("POST", "/bulk-jobs", {
    category: "news",
    title: "t",
    body: "b",
    scheduledAt: later,
  });
  const task = await ask("POST", "/tasks", { title: "t", scheduledTime: later });
  await addImage(server, own, task.taskId);
  const flow = await flowObjects(server, own, ask);
  const made = await ask("POST", "/admin/keys", { name: "own", permissions: ["queue.read"] });
  return {
    own,
    other,
    tenant,
    ids: [
      [/^\/admin\/jobs\//, failed],
      [/^\/admin\/(queues\/:queue|queue)\//, failed],
      [/^\/admin\/plans\//, plan.id],
      [/^\/admin\/operations\//, await operation(server)],
      [/^\/admin\/decisions\//, await heldDecision(server, failed)],
      [/^\/admin\/keys\//, made.id],
      [/^\/admin\/sync-queue\//, file.fileId],
      [/^\/files\//, file.fileId],
      [/^\/folders\//, folder.id],
      [/^\/folder-operations\//, renamed.operationId],
      [/^\/bulk-jobs\//, bulk.id],
      [/^\/channels\//, "channel-of-north"],
      [/^\/tasks\//, task.taskId],
      [/^\/pipelines\/executions\//, flow.execution],
      [/^\/pipelines\/extractions\//, flow.extraction],
      [/^\/pipelines\/schedules\//, flow.schedule],
      [/^\/dlq\/redrives\//, flow.redrive],
      [/^\/dlq\//, flow.letter],
    ],
  };
}

type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, never>>;

/** An execution with an extraction, a schedule, a dead letter and a redrive. */
async function flowObjects(server: TestServer, token: string, ask: Ask) {
  const event = { type: "s3.object.created", bucket: "bkt", key: "a.txt", size: 5, mime: "text/plain" };
  const whose = { tenantId: "acme", organizationId: "north" };
  const folder = join(server.site.settings.data, "buckets", "bkt");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a.txt"), "hello");
  const { executionId: execution } = await ask("POST", "/ingest/events", { ...event, ...whose });
  const refused = async () =>
    (await server.ask("POST", "/ingest/events", { token, body: { ...event, size: "x" } })).body.details.dlqId;
  const letter = await refused();
  const other = await refused();
  const redrive = await ask("POST", "/dlq/redrive", { ids: [other] });
  const schedule = await ask("POST", "/pipelines/schedules", {
    pipelineCode: "default",
    cron: "0 0 1 1 *",
    timeZone: "UTC",
  });
  const extraction = `${execution}#text#TEXT`;
  const path = `/pipelines/extractions/${encodeURIComponent(extraction)}/content`;
  await until(async () => (await server.ask("GET", path, { token })).status === 200);
  return { execution, extraction, letter, redrive: redrive.redriveId, schedule: schedule.id };
}

async function upload(server: TestServer, token: string, folderId: string, name: string) {
  const body = new FormData();
  body.append("folderId", folderId);
  body.append("file", new Blob(["hello"]), name);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL("/files/upload", server.url), { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { fileId: string };
}

/** The smallest GIF. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

async function addImage(server: TestServer, token: string, taskId: string): Promise<void> {
  const body = new FormData();
  body.append("images", new Blob([new Uint8Array(PIXEL)]), "pixel.gif");
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL(`/tasks/${taskId}/images`, server.url), {
    method: "POST",
    headers,
    body,
  });
  if (!response.ok) throw new Error(await response.text());
}

/** A job that no handler can carry out. */
async function failedJob(server: TestServer): Promise<string> {
  const { andon, queues } = server.site;
  const added = await queues.get(SYNC)?.queue.add("no operation", { tenant: "acme", organization: "north" });
  const id = added?.id as string;
  for (let look = 0; look < 200 && (await andon.job(id))?.state !== "failed"; look++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return id;
}

async function operation(server: TestServer): Promise<string> {
  const { store } = server.site.andon;
  const id = "an operation of north";
  const row = {
    id,
    queue: SYNC,
    action: "retry" as const,
    actor: "key:test",
    reason: null,
    tenant: "acme",
    organization: "north",
    details: {},
    list: id,
    state: "done" as const,
    createdAt: store.clock.now(),
    finishedAt: store.clock.now(),
    total: 0,
    done: 0,
    requested: 0,
    leftOut: 0,
    leftOutJobs: [],
    result: {},
    nextStep: 0,
    nextItem: 0,
    driver: null,
    beat: 0,
  };
  await store.transaction("test", (tx) => tx.addOperation(row));
  return id;
}

/** Like the decision of a skip while decisions are held back. */
async function heldDecision(server: TestServer, jobId: string): Promise<string> {
  const { store } = server.site.andon;
  const id = "a decision of north";
  const at = store.clock.now();
  await store.transaction("test", (tx) =>
    tx.addDecision({
      id,
      queue: SYNC,
      jobId,
      pos: 0,
      tenant: "acme",
      organization: "north",
      action: "skip",
      cancelAt: null,
      actor: "key:test",
      reason: "not needed",
      jobState: "failed",
      fence: 0,
      madeAt: at,
      appliesAt: at + 86_400_000,
      state: "pending",
      settledAt: null,
      settledBy: null,
      note: null,
    }),
  );
  return id;
}
