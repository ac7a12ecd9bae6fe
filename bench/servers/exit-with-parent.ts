import { existsSync } from "node:fs";

const SETPRIV = "/usr/bin/setpriv";

/** The command of a program that ends when this process ends, however that happens. */
export function exitWithParent(program: string, args: readonly string[]): [program: string, args: string[]] {
  return existsSync(SETPRIV) ? [SETPRIV, ["--pdeathsig", "TERM", program, ...args]] : [program, [...args]];
}
