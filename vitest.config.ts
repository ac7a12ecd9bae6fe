import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Our packages are tested from source: what is edited is what runs, whatever lies in dist. `module` is for bundlers: Node
// does not know it, and some packages keep files behind it that Node cannot load.
const conditions = ["source", ...defaultServerConditions.filter((name) => name !== "module")];

export default defineConfig({
  resolve: { conditions },
  ssr: {
    noExternal: [/^@andon\//, "andon"],
    resolve: { conditions },
  },
  test: {
    include: [
      "packages/*/{src,test}/**/*.test.{ts,tsx}",
      "apps/*/{src,test}/**/*.test.ts",
      "scripts/test/**/*.test.ts",
      "examples/*.test.ts",
    ],
    globalSetup: "packages/testkit/src/global-setup.ts",
    pool: "forks",
    maxWorkers: 4,
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
