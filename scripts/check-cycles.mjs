import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { listSources, readImports } from "./source-imports.mjs";

/** Cycles of files that load each other: `{ file, line, rule }`, one finding per cycle. */
export function findCycles(root) {
  const files = new Set(listSources(root, ["packages", "apps", "examples", "bench", "proof", "scripts"]));
  const edges = new Map();
  for (const file of files) {
    // A type import is erased before the program runs, and a lazy import runs after loading.
    const loaded = readImports(root, file).filter(
      ({ kind, specifier }) => kind === "static" && specifier.startsWith("."),
    );
    edges.set(
      file,
      loaded
        .map(({ specifier, line }) => ({ line, target: posix.join(posix.dirname(file), specifier) }))
        .filter(({ target }) => files.has(target)),
    );
  }

  const findings = [];
  const done = new Set();
  const path = [];
  for (const file of files) visit(file);
  return findings;

  function visit(file) {
    path.push(file);
    for (const { target, line } of edges.get(file)) {
      const start = path.indexOf(target);
      if (start >= 0) {
        const circle = [...path.slice(start), target].join(" → ");
        findings.push({ file, line, rule: `circular import: ${circle}` });
      } else if (!done.has(target)) {
        visit(target);
      }
    }
    path.pop();
    done.add(file);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findCycles(fileURLToPath(new URL("..", import.meta.url)));
  for (const { file, line, rule } of findings) console.error(`${file}:${line} ${rule}`);
  if (findings.length > 0) process.exit(1);
}
