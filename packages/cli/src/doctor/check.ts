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

/** What the server told; undefined where none answers. */
export interface ServerInspection {
  readonly parts: readonly { name: string; ok: boolean; problem: string | null }[];
  /** Between which times, by this machine's clock in ms, the answer was made. */
  readonly asked: number;
  readonly answered: number;
  /** The server's own clock at the answer, to the second. */
  readonly date: number | undefined;
}

/** What this machine sees of the store that the settings name. */
export interface LocalStore {
  readonly look: Awaited<ReturnType<typeof inspectStore>>;
  /** Between which times, by this machine's clock in ms, the store told its own. */
  readonly asked: number;
  readonly answered: number;
  /** Whether a site has ever used it. */
  readonly isUsed: boolean;
}

/** What the checks look at. It is gathered once, for all of them. */
export interface Patient {
  readonly connection: Connection;
  readonly language: Language;
  /** Where the command runs: what relative paths of the settings mean. */
  readonly folder: string;
  readonly settings: Settings | undefined;
  readonly settingsProblems: readonly string[];
  /** Absolute. */
  readonly dataFolder: string;
  readonly store: LocalStore | undefined;
  /** Why the store cannot be looked at. */
  readonly storeProblem: string | undefined;
  /** Whether the store of these settings is the one of the server that answers, or no server answers. */
  readonly isOurStore: boolean;
  /** Reads the store of these settings, whether a server runs or not. */
  readonly readSiteSnapshot: typeof readSiteSnapshot;
  readonly server: ServerInspection | undefined;
  /** Why no server answers. */
  readonly serverProblem: string | undefined;
  /** Undefined where no server answers, or no key is at hand. */
  readonly client: Client | undefined;
}

/** One thing to look at. It gives a line for each thing it finds, and none where there is nothing to look at. */
export interface Check {
  readonly name: string;
  look(patient: Patient): Promise<readonly Finding[]>;
}
