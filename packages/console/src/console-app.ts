import type { Permission } from "@andon/contract";
import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { FailedJob, JobDetail, QueueOverview } from "./api/client.ts";
import type { Language } from "./i18n/language.ts";

/** Loads a component when it is first shown. */
export type Load<Props = object> = () => Promise<{ default: ComponentType<Props> }>;

/** Where a room is entered: the parameters of its address, and what stands behind the question mark. */
export interface Entered {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: Readonly<Record<string, string | undefined>>;
}

/** A question to the server as the room asks it. */
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
  /** It concerns all tenants: a key with a scope does not see it. */
  readonly whole?: true;
  /** `false`: reached by links alone. */
  readonly inMenu?: false;
  /** It stays in the bar of a phone, which has no place for all. */
  readonly onPhone?: true;
  readonly component: Load;
  /** What the room asks first: asked while somebody points at a link to it, and beside its code when it is entered. */
  readonly asks?: (entered: Entered) => readonly Question[];
}

/** A page of the app about one job. */
interface JobPage {
  readonly label: Readonly<Record<Language, string>>;
  readonly permission?: Permission;
  readonly address: (jobId: string) => string;
}

/** What an app adds to the pages of one of its queues and of the queue's jobs. */
export interface QueueParts {
  /** Stands above a job's payload: what the job is about, such as a link to the file. */
  readonly aboutJob?: Load<{ readonly job: JobDetail }>;
  /** Stands among the buttons of a job: a decision that the app makes in a dialog of its own. */
  readonly jobDecision?: Load<{ readonly job: JobDetail }>;
  /** Stands below the head of the queue's page. */
  readonly onQueue?: Load<{ readonly queue: QueueOverview }>;
  /** Where alerts that name a job lead beside the job itself. */
  readonly jobPage?: JobPage;
  /** What a failed job is about, in a few characters for a table. Default: what the API calls it. */
  readonly nameOfFailed?: (job: FailedJob) => string | undefined;
}

/** Codes of the app that the core's pages show, in words. */
export interface AppWords {
  /** By the action of an audit entry, such as `address.add`. */
  readonly actions?: Readonly<Record<string, string>>;
  /** By the type of an event, in a job's history. */
  readonly events?: Readonly<Record<string, string>>;
  /** What to do after a refusal, by its code. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** Something that an app has found: its name, and the address of its page. */
interface FoundThing {
  readonly label: string;
  /** What tells it from others with the same name, such as its folder or its state. */
  readonly hint?: string;
  readonly path: string;
}

/** Finds what the app calls by a text, such as files by their names: a few of them, the best first. */
export type FindThings = (
  text: string,
  options: { readonly signal: AbortSignal },
) => Promise<readonly FoundThing[]>;

/** How the palette finds the things of an app. */
interface AppSearch {
  /** What they are called. */
  readonly label: Readonly<Record<Language, string>>;
  readonly permission?: Permission;
  /** Loaded when somebody first searches. */
  readonly load: () => Promise<{ default: FindThings }>;
}

/** What an app adds to the console. All of it is in the first load, so that components come by `import()`. */
export interface ConsoleApp {
  /** As the server calls the app: its rooms are shown where the server runs it. */
  readonly name: string;
  readonly rooms: readonly Room[];
  /** Its things in the palette, beside jobs, queues and pages. */
  readonly search?: AppSearch;
  /** Its queues. Whatever happens in them makes queries stale whose key begins with the app's name. */
  readonly queues?: Readonly<Record<string, QueueParts>>;
  /** Events of its own in the feed, and the first words of the query keys that each makes stale. */
  readonly eventTypes?: Readonly<Record<string, readonly string[]>>;
  readonly words?: Readonly<Record<Language, AppWords>>;
}

/** The default export of an app's `./console`. */
export function defineConsoleApp(app: ConsoleApp): ConsoleApp {
  return app;
}
