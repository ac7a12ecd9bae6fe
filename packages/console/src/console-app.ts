import type { Permission } from "@andon/contract";
import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { FailedJob, JobDetail, QueueOverview } from "./api/client.ts";
import type { Language } from "./i18n/language.ts";

/** Loads a component on first use. */
export type Load<Props = object> = () => Promise<{ default: ComponentType<Props> }>;

/** The address with which a room is entered: path parameters and query parameters. */
export interface Entered {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: Readonly<Record<string, string | undefined>>;
}

/** A query of a room to the server. */
interface Question {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (asked: { readonly signal: AbortSignal }) => Promise<unknown>;
}

/** One page of the console. */
export interface Room {
  /** Its address; `$name` is a parameter. An app's addresses begin with `/<app>/`. */
  readonly path: string;
  readonly label: Readonly<Record<Language, string>>;
  readonly icon: LucideIcon;
  readonly permission?: Permission;
  /** For all tenants: a key with a scope does not see the room. */
  readonly whole?: true;
  /** `false`: reached only by links. */
  readonly inMenu?: false;
  /** The room is in the bar on a phone, which has no space for all rooms. */
  readonly onPhone?: true;
  readonly component: Load;
  /** The room's first queries: started when the pointer is on a link to it, and in parallel with its code when it is entered. */
  readonly asks?: (entered: Entered) => readonly Question[];
}

/** An app's own page about one job. */
interface JobPage {
  readonly label: Readonly<Record<Language, string>>;
  readonly permission?: Permission;
  readonly address: (jobId: string) => string;
}

/** The parts that an app adds to the pages of one of its queues and of the queue's jobs. */
export interface QueueParts {
  /** Shown above a job's payload: the job's subject, such as a link to the file. */
  readonly aboutJob?: Load<{ readonly job: JobDetail }>;
  /** Shown among the buttons of a job: a decision with a dialog of the app. */
  readonly jobDecision?: Load<{ readonly job: JobDetail }>;
  /** Shown below the head of the queue's page. */
  readonly onQueue?: Load<{ readonly queue: QueueOverview }>;
  /** The page to which alerts about a job link in addition to the job. */
  readonly jobPage?: JobPage;
  /** A short name of a failed job for a table. Default: the name from the API. */
  readonly nameOfFailed?: (job: FailedJob) => string | undefined;
}

/** Words for codes of the app that the core's pages show. */
export interface AppWords {
  /** By the action of an audit entry, such as `address.add`. */
  readonly actions?: Readonly<Record<string, string>>;
  /** By the type of an event, in a job's history. */
  readonly events?: Readonly<Record<string, string>>;
  /** What to do after a refusal, by its code. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** A search result of an app: its name, and the address of its page. */
interface FoundThing {
  readonly label: string;
  /** Distinguishes it from others with the same name, such as its folder or its state. */
  readonly hint?: string;
  readonly path: string;
}

/** Searches the app's things for a text, such as files by name. Returns a few, the best first. */
export type FindThings = (
  text: string,
  options: { readonly signal: AbortSignal },
) => Promise<readonly FoundThing[]>;

/** How the palette finds the things of an app. */
interface AppSearch {
  /** The heading of the results. */
  readonly label: Readonly<Record<Language, string>>;
  readonly permission?: Permission;
  /** Loaded at the first search. */
  readonly load: () => Promise<{ default: FindThings }>;
}

/** What an app adds to the console. This object is in the first load, so its components must be loaded by `import()`. */
export interface ConsoleApp {
  /** The app's name on the server. Its rooms are shown only if the server runs it. */
  readonly name: string;
  readonly rooms: readonly Room[];
  /** Its things in the palette, in addition to jobs, queues and pages. */
  readonly search?: AppSearch;
  /** Its queues. Every event in them makes queries stale whose key begins with the app's name. */
  readonly queues?: Readonly<Record<string, QueueParts>>;
  /** Its own event types in the feed, and for each the topics (first parts of query keys) that it makes stale. */
  readonly eventTypes?: Readonly<Record<string, readonly string[]>>;
  readonly words?: Readonly<Record<Language, AppWords>>;
}

/** The default export of an app's `./console`. */
export function defineConsoleApp(app: ConsoleApp): ConsoleApp {
  return app;
}
