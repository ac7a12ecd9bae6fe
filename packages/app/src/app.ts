import type { ErrorCatalogue, RouteTable } from "@andon/contract";
import type { Tx } from "@andon/engine";
import type { AppAlerts } from "./app-alerts.ts";
import type { AppQueue } from "./app-queue.ts";
import type { AppSettings } from "./app-settings.ts";
import type { Announcements, AppHost, AppSite, ObjectContent } from "./app-site.ts";
import type { ServeAll } from "./call.ts";

/** The state of something outside that an app needs, as readiness shows it. */
export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** The full text, for operators: it may name paths and hosts. */
  readonly problem: string | null;
  /** The code that everybody may see, such as `NOT_MOUNTED`. Default: that it does not answer. */
  readonly code?: string;
}

/** A metric of an app at one moment, as `/metrics` shows it. */
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
  /** Ends soon after `signal` aborts, with all work that it has begun committed or handed back. */
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
  /**
   * Opens the resources of the app: its tables exist, its queues are not defined yet. If it throws, the start stops.
   */
  readonly open?: (host: AppHost) => Promise<void>;
  /** Closes the resources of the app when nothing runs any more, also after a start that was stopped. */
  readonly close?: () => Promise<void>;
  readonly queues?: (site: AppSite) => Record<string, AppQueue>;
  /** Types of alerts about its queues, with their texts. */
  readonly alerts?: AppAlerts;
  /** Short paths of a queue's operator routes: `{ "/admin/mail": "mail" }` serves `/admin/mail/status` and the others. */
  readonly queueAliases?: Readonly<Record<string, string>>;
  /** Writes data that depends on the final rules of its queues; nothing runs yet. If it throws, the start stops. */
  readonly prepare?: (site: AppSite) => Promise<void>;
  readonly routes?: T;
  readonly serve?: (site: AppSite) => ServeAll<T>;
  /** Handles the announcements of other apps, inside their transaction: if it throws, that is rolled back. */
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
  /** Checks what the app needs; a check that fails makes the host degraded, not unready. */
  readonly ready?: (site: AppSite) => Promise<readonly ReadinessCheck[]>;
  /** Metrics for `/metrics`, read at each request. */
  readonly metrics?: (site: AppSite) => Promise<readonly AppMetric[]>;
  readonly tasks?: readonly AppTask[];
}

export function defineApp<const T extends RouteTable>(app: App<T>): App<T> {
  return app;
}
