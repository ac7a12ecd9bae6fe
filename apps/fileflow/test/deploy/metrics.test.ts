import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensurePromtool } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { FileflowServer } from "../harness.ts";
import { deployFile, deployPath } from "./deploy-files.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const groups = (parse(deployFile("prometheus/rules.yml")) as { groups: { rules: Rule[] }[] }).groups;
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(deployFile("grafana/andon.json")) as { panels: Panel[] };
const drawn = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

/** Prometheus creates this series itself. */
const OF_PROMETHEUS = "up";
/** The names of metrics in an expression, found by their prefixes, outside of labels and strings. */
function metricsIn(expr: string): string[] {
  return expr.replaceAll(/\{[^}]*\}|"[^"]*"/g, "").match(/\b(fileflow|andon|process|nodejs)_\w+/g) ?? [];
}

describe("the dashboard and the alerts", () => {
  let server: FileflowServer;
  let printed: Set<string>;

  beforeAll(async () => {
    server = await FileflowServer.start("sqlite");
    const { body } = await server.ask("GET", "/metrics");
    const types = [...String(body).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type]) => ({
      name,
      type,
    }));
    const suffixes = ["_bucket", "_sum", "_count"];
    printed = new Set(
      types.flatMap(({ name, type }) =>
        type === "histogram" ? suffixes.map((suffix) => name + suffix) : [name],
      ),
    );
  });
  afterAll(() => server?.close());

  test("use only metrics that the server prints", () => {
    const named = [...rules, ...drawn].flatMap(({ expr }) => metricsIn(expr));
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !printed.has(name))).toEqual([]);
  });

  test("use every metric of FileFlow", () => {
    const named = new Set([...rules, ...drawn].flatMap(({ expr }) => metricsIn(expr)));
    expect([...printed].filter((name) => name.startsWith("fileflow_") && !named.has(name))).toEqual([]);
  });

  test("have an expression, a severity and texts each", () => {
    for (const { alert, expr, labels, annotations } of rules) {
      expect(metricsIn(expr).length > 0 || expr.startsWith(OF_PROMETHEUS), alert).toBe(true);
      expect(["warning", "critical"], alert).toContain(labels.severity);
      expect(annotations.summary && annotations.description, alert).toBeTruthy();
    }
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });

  test("have panels that do not overlap", () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  });
});

describe("promtool", () => {
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(ensurePromtool(), args, {
      encoding: "utf8",
      cwd: dirname(deployPath("prometheus/rules.yml")),
    });
    return { status, said: stdout + stderr };
  };

  test("accepts the alerts, and each fires as its test says", () => {
    expect(run("check", "rules", "rules.yml")).toMatchObject({ status: 0 });
    expect(run("test", "rules", "rules.test.yml")).toMatchObject({ status: 0 });
  }, 300_000);

  test("accepts the configuration and every expression of the dashboard", () => {
    expect(run("check", "config", "--syntax-only", "prometheus.yml")).toMatchObject({ status: 0 });
    const folder = mkdtempSync(join(tmpdir(), "andon-dashboard-"));
    try {
      const file = join(folder, "dashboard.yml");
      const recorded = drawn.map(({ expr }, at) => ({ record: `panel:${at}`, expr }));
      // JSON is valid YAML.
      writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
      expect(run("check", "rules", file)).toMatchObject({ status: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 300_000);
});
