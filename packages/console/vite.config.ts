import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { compressed } from "./build/compressed.ts";
import { slimRoutes } from "./build/slim-routes.ts";

/** Only the routes' addresses and our own words are needed of it; its schemas, and with them Zod, are not. */
const SCHEMAS = /\/(packages\/contract|node_modules\/zod)\//;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), slimRoutes(), compressed()],
  resolve: { conditions: ["source", ...defaultClientConditions] },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 600,
    rolldownOptions: { treeshake: { moduleSideEffects: (id) => !SCHEMAS.test(id) } },
  },
});
