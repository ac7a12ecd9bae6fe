import type { Client, ClientOf } from "@andon/client";
import type { Language, RouteTable } from "@andon/contract";
import type { Installed } from "@andon/server";
import type { CliApp } from "../cli-app.ts";
import type { Localized } from "../i18n/localized.ts";
import type { Connection } from "./connection.ts";
import type { Output } from "./output.ts";
import type { Shell } from "./shell.ts";

export interface ArgumentSpec {
  readonly says: Localized;
  readonly optional?: true;
  /** One or more values. Only the last argument can be `many`. */
  readonly many?: true;
  readonly choices?: readonly string[];
}

export interface OptionSpec {
  readonly says: Localized;
  /** The name of its value. Absent: the option takes no value. */
  readonly value?: string;
  readonly required?: true;
  readonly choices?: readonly string[];
  /** The value is a whole number, at least 1 unless `least` is given. */
  readonly whole?: true;
  readonly least?: number;
  readonly most?: number;
  /** The value is a time, as the API takes it. */
  readonly time?: true;
}

type Arguments = Readonly<Record<string, ArgumentSpec>>;
type Options = Readonly<Record<string, OptionSpec>>;

type WordOf<S> = S extends { choices: readonly (infer Choice)[] } ? Choice : string;
type ArgumentValue<S> = S extends { many: true }
  ? readonly WordOf<S>[]
  : WordOf<S> | (S extends { optional: true } ? undefined : never);
type OptionValue<S> = S extends { value: string }
  ? (S extends { whole: true } ? number : WordOf<S>) | (S extends { required: true } ? never : undefined)
  : boolean;

/** One run of a command: its arguments, its options, and what it works with. */
export interface Use<A = Record<string, unknown>, O = Record<string, unknown>> {
  readonly given: A;
  readonly options: O;
  /** Opened on first access: a command that needs no server needs no key. */
  readonly client: Client;
  /** A client for the routes of an app. */
  clientOf<T extends RouteTable>(routes: T): ClientOf<T>;
  /** The queue to use when the operator names none: the default queue of the first installed app that has one. */
  readonly defaultQueue: string | undefined;
  /** Every command, in the order of the help. */
  readonly commands: readonly CommandSpec[];
  /** What the installed apps add to this command. */
  readonly apps: readonly CliApp[];
  /** Loads the server's package, which is slow: only for commands that work on this machine's own site. */
  server(): Promise<typeof import("@andon/server")>;
  /** The apps that a server of this machine would run. */
  installed(): Promise<Installed>;
  readonly connection: Connection;
  readonly out: Output;
  readonly shell: Shell;
  readonly language: Language;
}

/** A command as data: the parser, the help and the reference page are all made from it. */
export interface CommandSpec {
  /** One word, or a group and a word: `keys create`. */
  readonly name: string;
  /** What the group does when no word follows. */
  readonly isDefault?: true;
  /** The head under which the help lists it. */
  readonly section?: Localized;
  /** The app that adds it. Absent: the core. */
  readonly app?: string;
  readonly says: Localized;
  /** `{queue}` stands for the default queue. */
  readonly example: string;
  readonly given: Arguments;
  readonly options: Options;
  /** Returns the exit code; undefined means 0. */
  readonly run: (use: Use) => Promise<number | undefined>;
}

interface TypedSpec<A extends Arguments, O extends Options> {
  readonly name: string;
  readonly isDefault?: true;
  readonly says: Localized;
  readonly example: string;
  readonly given?: A;
  readonly options?: O;
  readonly run: (
    use: Use<
      { readonly [Name in keyof A]: ArgumentValue<A[Name]> },
      { readonly [Name in keyof O]: OptionValue<O[Name]> }
    >,
  ) => Promise<number | undefined>;
}

// With `{}` as the default, a command without options would accept any option.
type None = Readonly<Record<never, never>>;

/** Gives `run` the types of what the command takes. */
export function command<const A extends Arguments = None, const O extends Options = None>(
  spec: TypedSpec<A, O>,
): CommandSpec {
  return { given: {}, options: {}, ...spec } as CommandSpec;
}

/** `exitCode` is written `--exit-code`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Sets absent options that take no value to false. */
export function withFlags(spec: CommandSpec, given: Record<string, unknown>): Record<string, unknown> {
  const flags = Object.entries(spec.options).flatMap(([name, { value }]) =>
    value === undefined ? [name] : [],
  );
  return { ...Object.fromEntries(flags.map((name) => [name, false])), ...given };
}
