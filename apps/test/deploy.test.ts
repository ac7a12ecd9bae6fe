import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { INSTALLED_APPS } from "@andon/apps/installed";
import { loadInstalled, loadSettings } from "@andon/server";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const deployed = (path: string) => readFileSync(join(ROOT, "deploy", path), "utf8");

/** The settings of a process with these variables and, if given, this file. Throws if the start would be refused. */
async function settingsWith(env: Record<string, string>, file?: string) {
  const folder = mkdtempSync(join(tmpdir(), "andon-deploy-"));
  try {
    const path = join(folder, "andon.config.json");
    if (file !== undefined) writeFileSync(path, file);
    const named = file === undefined ? env : { ...env, ANDON_CONFIG: path };
    return await loadSettings(named, folder, await loadInstalled(INSTALLED_APPS));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("deploy/Dockerfile", () => {
  const text = deployed("Dockerfile").replaceAll("\\\n", " ");
  const lines = text.split("\n").filter((line) => /^[A-Z]+ /.test(line));
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `));

  test("copies, builds and starts only what exists", () => {
    for (const path of [
      "scripts/build-console.mjs",
      "packages/server/src/main.ts",
      "packages/cli/bin/andon.mjs",
    ])
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    expect(scripts.build).toBeDefined();
    expect(text).toContain("packages/server/dist/main.js");
  });

  test("runs without root, with an init, a health check and a folder of its own", () => {
    expect(of("USER")).toEqual(["USER node"]);
    expect(of("ENTRYPOINT")).toEqual(['ENTRYPOINT ["tini", "--"]']);
    expect(of("HEALTHCHECK").join()).toContain("/healthz");
    const environment = Object.fromEntries(
      of("ENV").flatMap((line) =>
        line
          .slice(4)
          .trim()
          .split(/\s+/)
          .map((pair) => pair.split("=")),
      ),
    );
    expect(environment).toMatchObject({ ANDON_HOST: "0.0.0.0", ANDON_DATA: "/data" });
  });

  test("leaves out what must not be in an image", () => {
    const ignored = deployed("Dockerfile.dockerignore").split("\n");
    for (const name of [".git", "data", "**/node_modules", "**/.env"]) expect(ignored).toContain(name);
  });
});

describe("deploy/compose.yaml", () => {
  interface Service {
    readonly environment?: Record<string, string>;
    readonly stop_grace_period?: string;
  }
  const { services } = parse(deployed("compose.yaml"), { merge: true }) as {
    services: Record<string, Service>;
  };
  /** Fills in variables like Compose: from deploy/.env, else the default after `:-`. */
  const given: Record<string, string> = { POSTGRES_PASSWORD: "secret", ANDON_ADMIN_TOKEN: "x".repeat(24) };
  const filled = (value: string) =>
    value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name: string, rest = "") => given[name] ?? rest);

  test.each(["api", "worker"])("gives %s settings that the server accepts", async (name) => {
    const environment = services[name]?.environment ?? {};
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, filled(value)]));
    const settings = await settingsWith(env);
    expect(settings.roles).toEqual(name === "api" ? ["api", "deliver", "watch"] : ["work"]);
    expect(settings.store).toBe("postgres://andon:secret@postgres:5432/andon");
    const grace = Number.parseInt(services[name]?.stop_grace_period ?? "0", 10) * 1_000;
    expect(grace).toBeGreaterThan(settings.shutdownGrace + 30_000);
  });

  test("requires every secret, and the example names it", () => {
    const example = deployed(".env.example");
    const asked = [...deployed("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name);
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) expect(example).toMatch(new RegExp(`^${name}=$`, "m"));
  });
});

describe("deploy/kubernetes", () => {
  interface Container {
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
    readonly securityContext: object;
  }
  interface Manifest {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly data?: Record<string, string>;
    readonly stringData?: Record<string, string>;
    readonly spec?: {
      readonly template: {
        readonly spec: {
          readonly enableServiceLinks?: boolean;
          readonly terminationGracePeriodSeconds: number;
          readonly containers: readonly Container[];
        };
      };
    };
  }
  const kustomization = parse(deployed("kubernetes/kustomization.yaml")) as { resources: string[] };
  const manifests = [...kustomization.resources, "secret.example.yaml"].flatMap((file) =>
    parseAllDocuments(deployed(`kubernetes/${file}`)).map((document) => {
      expect(document.errors, file).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );
  const find = (kind: string, name: string) =>
    manifests.find((each) => each.kind === kind && each.metadata.name === name) as Manifest;

  test("lists every manifest of the folder", () => {
    const files = readdirSync(join(ROOT, "deploy/kubernetes")).filter((name) => name.endsWith(".yaml"));
    const listed = [...kustomization.resources, "kustomization.yaml", "secret.example.yaml"];
    expect(files.sort()).toEqual(listed.sort());
    for (const { apiVersion, kind, metadata } of manifests)
      expect(apiVersion && kind && metadata.name).toBeTruthy();
  });

  test.each(["andon-api", "andon-worker"])(
    "gives %s settings that the server accepts, and time to shut down",
    async (name) => {
      const pod = find("Deployment", name).spec?.template.spec;
      const [container] = pod?.containers ?? [];
      const own = Object.fromEntries((container?.env ?? []).map((each) => [each.name, each.value]));
      const { ANDON_CONFIG: path, ...env } = own;
      const [file = "", content] = Object.entries(find("ConfigMap", "andon").data ?? {})[0] ?? [];
      expect(path).toBe(`/etc/andon/${file}`);
      const settings = await settingsWith({ ...env, ...find("Secret", "andon").stringData }, content);
      expect((pod?.terminationGracePeriodSeconds ?? 0) * 1_000).toBeGreaterThan(
        settings.shutdownGrace + 30_000,
      );
      expect(pod?.enableServiceLinks).toBe(false);
      expect(container?.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
    },
  );

  test("probes the API at the path that serves its readiness", () => {
    const [container] = find("Deployment", "andon-api").spec?.template.spec.containers ?? [];
    expect(container?.readinessProbe?.httpGet.path).toBe("/readyz");
  });
});
