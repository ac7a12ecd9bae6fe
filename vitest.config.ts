import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const SOURCE = /^(.+\/(?:packages|apps|examples)\/[^/]+)\/src\/(.+)\.ts$/;

/**
 * Our packages are tested as built: the global set-up builds what was edited, and Node loads it without a transform. What a test
 * imports from its own package's `src` is the same module as everybody else's, not a second copy of it.
 */
function asBuilt(): Plugin {
  return {
    name: "as-built",
    enforce: "pre",
    resolveId(id, importer) {
      if (!importer || !id.startsWith(".")) return null;
      const [, home, module] = SOURCE.exec(resolve(dirname(importer), id)) ?? [];
      const built = `${home}/dist/${module}.js`;
      return existsSync(built) ? built : null;
    },
  };
}

export default defineConfig({
  plugins: [asBuilt()],
  test: {
    include: [
      "packages/*/{src,test}/**/*.test.{ts,tsx}",
      "apps/*/{src,test}/**/*.test.ts",
      "apps/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
      "examples/*.test.ts",
      "examples/*/test/**/*.test.ts",
    ],
    server: { deps: { external: [/\/dist\//] } },
    globalSetup: "packages/testkit/src/global-setup.ts",
    pool: "forks",
    // Files that one worker takes share their modules: to load them anew for each was an eighth of the run.
    isolate: false,
    maxWorkers: 4,
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // A poll ends as soon as it is right; how long that takes is the machine's affair.
    expect: { poll: { timeout: 45_000 } },
  },
});
