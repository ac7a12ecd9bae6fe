import type { Client } from "@andon/client";
import type { Language } from "@andon/contract";
import type { inspectStore, readSiteSnapshot, Settings } from "@andon/server";
import type { Facts, Localized } from "../i18n/localized.ts";
import type { Connection } from "../terminal/connection.ts";

type Level = "ok" | "warn" | "bad";

export interface Finding {
  readonly level: Level;
  readonly what: Localized;
  readonly facts?: Facts;
  /** What to do about it. */
  readonly todo?: Localized;
}

/** What a server reports about itself. */
export interface ServerInspection {
  readonly parts: readonly { name: string; ok: boolean; problem: string | null }[];
  /** This machine's clock in ms before the request and after the answer. */
  readonly asked: number;
  readonly answered: number;
  /** The server's clock at the answer, truncated to the second. */
  readonly date: number | undefined;
}

/** The store that the settings name, as seen from this machine. */
export interface LocalStore {
  readonly inspection: Awaited<ReturnType<typeof inspectStore>>;
  /** This machine's clock in ms before and after the store reported its own time. */
  readonly asked: number;
  readonly answered: number;
  /** Whether a site has ever used it. */
  readonly isUsed: boolean;
}

/** The input of all checks, gathered once. */
export interface CheckInput {
  readonly connection: Connection;
  readonly language: Language;
  /** The working folder. Relative paths in the settings start here. */
  readonly folder: string;
  readonly settings: Settings | undefined;
  readonly settingsProblems: readonly string[];
  /** Absolute. */
  readonly dataFolder: string;
  readonly store: LocalStore | undefined;
  /** Why the store cannot be read. */
  readonly storeProblem: string | undefined;
  /** True if the server that answers uses the store of these settings, or if no server answers. */
  readonly isOurStore: boolean;
  /** Reads the store of these settings, whether a server runs or not. */
  readonly readSiteSnapshot: typeof readSiteSnapshot;
  readonly server: ServerInspection | undefined;
  /** Why no server answers. */
  readonly serverProblem: string | undefined;
  /** Undefined if no server answers or no key is found. */
  readonly client: Client | undefined;
}

/** One check. It returns one finding per result, and none if it does not apply. */
export interface Check {
  readonly name: string;
  run(input: CheckInput): Promise<readonly Finding[]>;
}
