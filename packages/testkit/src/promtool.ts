import { installPackages, onPath } from "./install-packages.ts";

const PROGRAM = "promtool";
const PACKAGE = "prometheus";

/** Prometheus' own checker. Where it is missing and may be installed, it is; else throws one line that says what to install. */
export function ensurePromtool(): string {
  const found = onPath(PROGRAM);
  if (found) return found;
  installPackages(PROGRAM, [PACKAGE]);
  const installed = onPath(PROGRAM);
  if (!installed) throw new Error(`No ${PROGRAM}: install it (Debian: ${PACKAGE}).`);
  return installed;
}
