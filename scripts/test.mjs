import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { buildConsole } from "./build-console.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { otherMajor, otherNode, whyNoOtherNode } from "./other-node.mjs";

// Without arguments: everything. `--static`: all but the tests. Anything else goes to vitest, and only vitest runs.
const args = process.argv.slice(2);
const wantsStatic = args.length === 0 || args[0] === "--static";
const wantsTests = args[0] !== "--static";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "andon-test-"));
const totals = { passed: 0, failed: 0, skipped: 0 };
const vitest = "node_modules/vitest/vitest.mjs";

const node = (script, ...rest) => run(process.execPath, [script, ...rest]);

function run(program, programArgs, env = {}) {
  const { status, error } = spawnSync(program, programArgs, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (error) console.error(error.message);
  return status === 0;
}

/** Runs the tests and adds their numbers to the totals. */
function runTests(program, filters, env) {
  const report = join(scratch, `${Date.now()}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ok = run(program, [vitest, "run", "--passWithNoTests", ...reporters, ...filters], env);
  let failed = 0;
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, "utf8"),
    );
    const unloadable = testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((result) => result.status === "failed"),
    );
    failed = numFailedTests + unloadable.length;
    totals.passed += numPassedTests;
    totals.skipped += numPendingTests + numTodoTests;
  } catch (error) {
    console.error(`no test report: ${error.message}`);
  }
  // Vitest also fails for an error outside any test, which the report does not count.
  totals.failed += ok ? failed : Math.max(failed, 1);
  return ok;
}

const staticSteps = [
  ["build and types", () => build()],
  ["lint and format", () => run("node_modules/.bin/biome", ["ci", "--error-on-warnings", "."])],
  ["import arrows", () => node("scripts/check-arrows.mjs")],
  ["words of apps", () => node("scripts/check-app-words.mjs")],
  ["tables of the engine", () => node("scripts/check-engine-tables.mjs")],
  ["circular imports", () => node("scripts/check-cycles.mjs")],
  ["unused code", () => node("node_modules/knip/bin/knip.js", "--no-progress")],
  ["docs", () => node("scripts/check-docs.mjs")],
];
const testSteps = [
  // The console is built from the build output of the packages and apps.
  ["console", () => build() && buildConsole()],
  [`tests on Node ${process.versions.node}`, () => runTests(process.execPath, args)],
];
if (args.length === 0) {
  // The other Node has its own SQLite driver, threads and processes. The PostgreSQL client is the same.
  const filters = ["packages/engine/", "packages/store/test/conformance/", "packages/andon/"];
  testSteps.push([
    `tests on Node ${otherMajor}, with SQLite`,
    () => runTests(otherNode(), filters, { ANDON_TEST_STORES: "sqlite" }),
    whyNoOtherNode(),
  ]);
}

ensureInstalled();
let ok = true;
for (const [name, step, leftOut] of [...(wantsStatic ? staticSteps : []), ...(wantsTests ? testSteps : [])]) {
  if (leftOut) {
    console.log(`- ${name}: left out, ${leftOut}`);
    continue;
  }
  const start = performance.now();
  try {
    ok = step();
  } catch (error) {
    console.error(error.message);
    ok = false;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${ok ? "✓" : "✗ FAILED:"} ${name} (${seconds} s)`);
  if (!ok) break;
}
rmSync(scratch, { recursive: true, force: true });
// A step that is not a test run has no counts; its failure counts as one.
if (!ok && totals.failed === 0) totals.failed = 1;
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
process.exit(ok ? 0 : 1);
