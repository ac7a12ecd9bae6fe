import type { Installed } from "@andon/server";
import { CommanderError } from "commander";
import { type CliApp, defaultQueueOf } from "./cli-app.ts";
import { CORE_COMMANDS } from "./commands/index.ts";
import { GROUPS } from "./i18n/help.ts";
import type { CommandSpec } from "./terminal/command.ts";
import { Connection } from "./terminal/connection.ts";
import { EXIT } from "./terminal/exit-codes.ts";
import { describeError } from "./terminal/failures.ts";
import { languageOf } from "./terminal/language.ts";
import { Output } from "./terminal/output.ts";
import { buildProgram, type GlobalOptions } from "./terminal/program.ts";
import type { Shell } from "./terminal/shell.ts";
import { useOf } from "./terminal/use-of.ts";
import { VERSION } from "./version.ts";

/** What the composition root passes to the command. */
export interface Composition {
  readonly apps: readonly CliApp[];
  /** The apps that a server of this machine would run. */
  installed(): Promise<Installed>;
}

/** Runs one command line. Resolves with the exit code. */
export async function run(
  args: readonly string[],
  shell: Shell,
  { apps, installed }: Composition,
): Promise<number> {
  const language = languageOf(args, shell.env);
  let exitCode: number = EXIT.ok;
  let out = new Output({ json: false, color: !args.includes("--no-color") }, shell, language);
  let url = "";
  let app: CliApp | undefined;
  const defaultQueue = defaultQueueOf(apps);
  const commands = [...CORE_COMMANDS, ...apps.flatMap((each) => each.commands)];

  const runCommand = async (
    spec: CommandSpec,
    given: Record<string, unknown>,
    options: Record<string, unknown>,
    global: GlobalOptions,
  ) => {
    out = new Output({ json: global.json ?? false, color: global.color }, shell, language);
    const connection = new Connection(global, shell, language);
    url = connection.url;
    app = apps.find(({ name }) => name === spec.app);
    const use = { given, options, connection, out, shell, language, defaultQueue, commands, apps, installed };
    exitCode = (await spec.run(useOf(use))) ?? EXIT.ok;
  };

  try {
    const program = buildProgram(commands, {
      language,
      shell,
      version: VERSION,
      groups: Object.assign({}, GROUPS, ...apps.map(({ groups }) => groups)),
      defaultQueue,
      run: runCommand,
    });
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const told = describeError(error, language, url, app);
    // A person who pressed Ctrl-C needs no message.
    if (told.exitCode !== EXIT.interrupted) out.failure(told);
    return told.exitCode;
  }
  return exitCode;
}
