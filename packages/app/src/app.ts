import type { ErrorCatalogue, RouteTable } from "@andon/contract";
import type { Tx } from "@andon/engine";
import type { AppAlerts } from "./app-alerts.ts";
import type { AppQueue } from "./app-queue.ts";
import type { AppSettings } from "./app-settings.ts";
import type { Announcements, AppHost, AppSite, ObjectContent } from "./app-site.ts";
import type { ServeAll } from "./call.ts";

/** A part of the outside world that an app needs, as readiness shows it. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The whole of it, for operators: it may name paths and hosts. */
  readonly problem: string | null;
  /** What anybody may hear of it, such as `NOT_MOUNTED`. Default: that it does not answer. */
  readonly code?: string;
}

/** A figure of an app at one moment, as `/metrics` shows it. */
export interface AppMetric {
  /** The name in Prometheus, which begins with the app's name. */
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter";
  readonly values: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** Work of an app beside its queues, such as a consumer of messages. Runs in every process that has the role. */
export interface AppTask {
  /** The role of a process (`roles` in the settings) that runs it. */
  readonly role: "work" | "deliver" | "watch";
  /** Ends soon after `signal` aborts, with everything it took in hand committed or handed back. */
  readonly run: (site: AppSite, signal: AbortSignal) => Promise<void>;
}

/** An app is one value: tables, queues, routes and settings under one name. A host mounts any number of them. */
export interface App<T extends RouteTable = RouteTable> {
  readonly name: string;
  readonly settings?: AppSettings;
  /** A folder with the subfolders `sqlite` and `postgres`, the same numbered files in both. */
  readonly migrations?: URL;
  /** Permissions that its routes need, `<noun>.<verb>`: keys may hold them while the app runs. */
  readonly permissions?: readonly string[];
  /** Error codes of its routes beside the core's, with status and both languages. */
  readonly errors?: ErrorCatalogue;
  /** Opens what the app works with: its tables exist, its queues are not defined yet. What it throws stops the start. */
  readonly open?: (host: AppHost) => Promise<void>;
  /** Closes it, when nothing runs any more; also where the start was stopped. */
  readonly close?: () => Promise<void>;
  readonly queues?: (site: AppSite) => Record<string, AppQueue>;
  /** Types of alerts about its queues, with their texts. */
  readonly alerts?: AppAlerts;
  /** Short paths of a queue's operator routes: `{ "/admin/mail": "mail" }` serves `/admin/mail/status` and the others. */
  readonly queueAliases?: Readonly<Record<string, string>>;
  /** Writes what depends on the rules that its queues got; nothing runs yet. What it throws stops the start. */
  readonly prepare?: (site: AppSite) => Promise<void>;
  readonly routes?: T;
  readonly serve?: (site: AppSite) => ServeAll<T>;
  /** What it does where another app announces something, in the transaction of that: what it throws rolls it back. */
  readonly listens?: {
    readonly [Name in keyof Announcements]?: (
      site: AppSite,
      facts: Announcements[Name],
      tx: Tx,
    ) => Promise<void>;
  };
  /** Buckets whose objects other apps may read, by name. */
  readonly buckets?: Readonly<
    Record<
      string,
      (
        site: AppSite,
        object: { readonly tenantId: string; readonly fileId: string },
        signal: AbortSignal,
      ) => Promise<ObjectContent>
    >
  >;
  /** Checks what it needs; a part that is away makes the host degraded, not unready. */
  readonly ready?: (site: AppSite) => Promise<readonly ReadinessCheck[]>;
  /** Figures for `/metrics`, read when somebody asks. */
  readonly metrics?: (site: AppSite) => Promise<readonly AppMetric[]>;
  readonly tasks?: readonly AppTask[];
}

export function defineApp<const T extends RouteTable>(app: App<T>): App<T> {
  return app;
}
