import { startPostgres } from "@andon/testkit";
import { allPoints, strikeAt } from "@andon/testkit/proof";

const points = allPoints();
console.log(points.length, [...new Set(points.map((p) => p.verb))].join(" "));
const [kinds = "sqlite", only, parallel = "3"] = process.argv.slice(2);
const server = kinds.includes("postgres") ? await startPostgres() : undefined;
const todo = kinds
  .split(",")
  .flatMap((kind) =>
    points.filter((p) => !only || new RegExp(only).test(`${p.verb}:${p.moment}`)).map((p) => ({ kind, p })),
  );
const t0 = performance.now();
await Promise.all(
  Array.from({ length: Number(parallel) }, async () => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const t = performance.now();
      const o = await strikeAt(next.kind as "sqlite", next.p, 7, server?.url);
      console.log(
        next.kind,
        next.p.verb,
        next.p.moment,
        Math.round(performance.now() - t),
        "jobs",
        o.jobs,
        "kills",
        o.kills,
        "dbl",
        o.doubled,
        "rec",
        o.recoveries.map(Math.round).join(),
        o.findings.length ? "FINDINGS " + o.findings.join(" | ").slice(0, 1500) : "ok",
      );
    }
  }),
);
console.log("total", Math.round(performance.now() - t0));
await server?.stop();
