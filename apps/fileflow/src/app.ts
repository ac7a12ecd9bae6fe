import { join, resolve } from "node:path";
import { type App, type AppHost, type AppSite, defineApp, type ReadinessCheck } from "@andon/app";
import { FILEFLOW_ALERTS } from "./contract/alerts.ts";
import { FILEFLOW_ERRORS } from "./contract/errors.ts";
import { FILEFLOW_PERMISSIONS } from "./contract/permissions.ts";
import { FILEFLOW_ROUTES } from "./contract/routes.ts";
import { FILEFLOW_SETTINGS, type FileflowSettings, type SqsSettings } from "./contract/settings.ts";
import { DeadLetters } from "./dlq/dead-letters.ts";
import { ManyRedrives } from "./dlq/redrive-many.ts";
import { runRedrives } from "./dlq/run-redrives.ts";
import { serveDlq } from "./dlq/serve-dlq.ts";
import { executionQueue } from "./executions/execution-queue.ts";
import { markDeleted, markRestored } from "./executions/mark-deleted.ts";
import { Retries } from "./executions/retry-execution.ts";
import { serveExecutions } from "./executions/serve-executions.ts";
import type { Extractor } from "./extract/port.ts";
import { deliverExtractions } from "./extractions/targets.ts";
import { Figures } from "./figures.ts";
import { EXECUTION_QUEUE, type FileflowContext, SCHEDULE_QUEUE } from "./fileflow-context.ts";
import { Housekeeping } from "./housekeeping.ts";
import { Ingest } from "./ingest/ingest.ts";
import { serveIngest } from "./ingest/serve-ingest.ts";
import { metricsOf } from "./metrics.ts";
import { Buckets } from "./objects/buckets.ts";
import { References } from "./objects/references.ts";
import { WorkingCopies } from "./objects/working-copies.ts";
import { Pipelines } from "./pipelines/pipelines.ts";
import { servePipelines } from "./pipelines/serve-pipelines.ts";
import { scheduleQueue } from "./schedules/run-schedule.ts";
import { serveSchedules } from "./schedules/serve-schedules.ts";
import { consume } from "./sqs/consume.ts";
import { importDeadLetters, LOOK_MS } from "./sqs/import-dead-letters.ts";
import { pause } from "./sqs/pause.ts";
import { SqsQueues } from "./sqs/sqs-queues.ts";
import { EXTRACT_PROGRAMS } from "./stages/extract-stages.ts";
import { PUBLISH_PROGRAM } from "./stages/publish-stage.ts";
import type { StageProgram } from "./stages/stage-program.ts";
import { takeAnnounced } from "./vault-events.ts";

/** Options for a program that mounts this app itself. */
export interface FileflowOptions {
  /** Extracts from files. Default: separate processes, as many as the settings say. */
  readonly extractor?: Extractor;
  /** Programs that pipelines may use beside the built-in ones. */
  readonly programs?: Readonly<Record<string, StageProgram>>;
  /** How long a receive from SQS waits for messages, in seconds. Default: 10. */
  readonly waitSeconds?: number;
  /** The interval between reads of the SQS dead-letter queue, in milliseconds. Default: 30,000. */
  readonly dlqLookMs?: number;
}

const WAIT_SECONDS = 10;

/** The parts of this app in one process, except those that the site provides. */
interface Opened extends Omit<FileflowContext, keyof AppSite> {
  readonly figures: Figures;
  readonly letters: DeadLetters;
  readonly retries: Retries;
  readonly programs: Readonly<Record<string, StageProgram>>;
  close(): Promise<void>;
}

/**
 * Turns object events into executions, and executions into extractions. Each host needs its own value, because the value
 * holds the open storages.
 */
export function fileflowApp(options: FileflowOptions = {}): App<typeof FILEFLOW_ROUTES> {
  let opened: Opened | undefined;
  let context: FileflowContext | undefined;
  let ingest: Ingest | undefined;
  const isOpen = (): Opened => {
    if (!opened) throw new Error("the app fileflow is not open");
    return opened;
  };
  const contextOf = (site: AppSite): FileflowContext => {
    context ??= { ...isOpen(), ...site };
    return context;
  };
  const ingestOf = (site: AppSite): Ingest => {
    ingest ??= new Ingest(contextOf(site));
    return ingest;
  };
  const portsOf = (site: AppSite) => {
    const { letters, figures } = isOpen();
    return { context: contextOf(site), letters, figures, ingest: ingestOf(site) };
  };
  return defineApp({
    name: "fileflow",
    settings: FILEFLOW_SETTINGS,
    migrations: new URL("../migrations/", import.meta.url),
    permissions: FILEFLOW_PERMISSIONS,
    errors: FILEFLOW_ERRORS,
    async open(host) {
      opened = openParts(options, host, () => context as FileflowContext);
      const housekeeping = new Housekeeping();
      host.andon.addDuty("fileflow", async () => {
        if (context) await housekeeping.run(context);
      });
    },
    close: async () => opened?.close(),
    queues: (site) => {
      const { programs, retries, figures } = isOpen();
      deliverExtractions(contextOf(site), figures);
      return {
        [EXECUTION_QUEUE]: executionQueue(contextOf(site), programs, retries, figures),
        [SCHEDULE_QUEUE]: scheduleQueue(contextOf(site)),
      };
    },
    alerts: FILEFLOW_ALERTS,
    routes: FILEFLOW_ROUTES,
    serve: (site) => {
      const { retries, figures } = isOpen();
      const ports = portsOf(site);
      return {
        ingest: serveIngest(ports),
        pipelines: servePipelines(ports.context),
        executions: serveExecutions(ports.context, retries, figures),
        pipelineSchedules: serveSchedules(ports.context),
        dlq: serveDlq(ports, new ManyRedrives(ports)),
      };
    },
    listens: {
      "object.created": (site, objects, tx) => takeAnnounced(contextOf(site), isOpen().figures, objects, tx),
      "object.deleted": (_site, objects, tx) => markDeleted(tx, objects),
      "object.restored": (_site, objects, tx) => markRestored(tx, objects),
    },
    ready: async (site) => readiness(contextOf(site)),
    metrics: async (site) => {
      const { figures, letters } = isOpen();
      return metricsOf(contextOf(site), figures, letters);
    },
    tasks: [
      {
        role: "work",
        async run(site, signal) {
          const { sqs } = contextOf(site);
          if (!sqs) return pause(2 ** 31 - 1, signal);
          const ports = { ...portsOf(site), sqs, waitSeconds: options.waitSeconds ?? WAIT_SECONDS };
          const lookMs = options.dlqLookMs ?? LOOK_MS;
          await Promise.all([
            consume(ports, signal),
            sqs.hasDlq ? importDeadLetters(ports, lookMs, signal) : undefined,
          ]);
        },
      },
      {
        role: "work",
        run: (site, signal) => runRedrives(new ManyRedrives(portsOf(site)), site.andon.store, signal),
      },
    ],
  });
}

function openParts(options: FileflowOptions, host: AppHost, contextOf: () => FileflowContext): Opened {
  const { andon, data, log } = host;
  const settings = host.settings.fileflow as FileflowSettings;
  const sqsSettings = host.settings.sqs as SqsSettings;
  const programs = { ...EXTRACT_PROGRAMS, publish: PUBLISH_PROGRAM, ...options.programs };
  const figures = new Figures(andon.store);
  const buckets = new Buckets(settings.buckets, data);
  const references = new References(settings.objects ?? `file:${join(resolve(data), "fileflow")}`);
  const copies = new WorkingCopies();
  const { queueUrl } = sqsSettings;
  const sqs = queueUrl === undefined ? undefined : new SqsQueues({ ...sqsSettings, queueUrl }, log);
  let extractor: Promise<Extractor> | undefined;
  return {
    settings,
    sqsSettings,
    pipelines: new Pipelines(settings, Object.keys(programs)),
    buckets,
    references,
    copies,
    extractor: () => {
      extractor ??= options.extractor ? Promise.resolve(options.extractor) : openExtractor(settings);
      return extractor;
    },
    sqs,
    log,
    figures,
    programs,
    letters: new DeadLetters(andon.store, figures),
    retries: new Retries(contextOf, figures),
    async close() {
      await (await extractor)?.close();
      await figures.close();
      await copies.close();
      await buckets.close();
      await references.close();
      await sqs?.close();
    },
  };
}

/** Loaded when the first file needs it, so that a process that works no files starts no extraction process. */
async function openExtractor({ extract }: FileflowSettings): Promise<Extractor> {
  const { createExtractor } = await import("./extract/create-extractor.ts");
  return createExtractor({ processes: extract.processes });
}

/** The readiness of SQS, if the settings name a queue. */
async function readiness({ sqs }: FileflowContext): Promise<ReadinessCheck[]> {
  if (!sqs) return [];
  const problem = await sqs.ping().then(
    () => null,
    (error: Error) => error.message || error.name || "does not answer",
  );
  return [{ name: "sqs", ok: problem === null, problem }];
}
