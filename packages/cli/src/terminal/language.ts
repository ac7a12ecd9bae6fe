import { type Language, languageOfLocale } from "@andon/contract";

/** Reads the language before the command line is parsed: the help and the parser's own errors need it. */
export function languageOf(args: readonly string[], env: NodeJS.ProcessEnv): Language {
  const named = namedIn(args);
  if (named === "ko" || named === "en") return named;
  return languageOfLocale(env);
}

function namedIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === "--lang" || arg.startsWith("--lang="));
  const arg = args[at];
  return arg === "--lang" ? args[at + 1] : arg?.slice("--lang=".length);
}
