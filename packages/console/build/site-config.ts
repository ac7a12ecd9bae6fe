import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, type UserConfig } from "vite";
import { compressed } from "./compressed.ts";
import { appsToBuild, installedApps } from "./installed-apps.ts";
import { slimRoutes } from "./slim-routes.ts";

/** The console needs only routes and texts of these modules. Their schemas, and Zod with them, may be removed. */
const SCHEMAS = /\/(packages\/contract|src\/contract|node_modules\/zod)\//;

/** The build configuration of a console with the rooms of these apps. The output folder is emptied first. */
export function siteConfig(packages: readonly string[], outDir: string): UserConfig {
  const apps = appsToBuild(packages);
  const contracts = apps.flatMap(({ contract }) => contract ?? []);
  return {
    root: fileURLToPath(new URL("..", import.meta.url)),
    plugins: [installedApps(apps), slimRoutes(contracts), react(), tailwindcss(), compressed()],
    resolve: { conditions: ["source", ...defaultClientConditions], dedupe: ["react", "react-dom"] },
    build: {
      outDir,
      emptyOutDir: true,
      // The content security policy would refuse a font inside the style sheet.
      assetsInlineLimit: (file) => (file.endsWith(".woff2") ? false : undefined),
      target: "es2022",
      chunkSizeWarningLimit: 600,
      rolldownOptions: { treeshake: { moduleSideEffects: (id) => !SCHEMAS.test(id) } },
    },
  };
}
