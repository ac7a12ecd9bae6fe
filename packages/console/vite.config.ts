import { INSTALLED_APPS } from "@andon/apps/installed";
import { defineConfig } from "vite";
import { siteConfig } from "./build/site-config.ts";

/** A product with other apps sets their packages, separated by commas, and another `--outDir`. */
const named = process.env.ANDON_CONSOLE_APPS?.split(",");

export default defineConfig(siteConfig(named ?? INSTALLED_APPS, "dist/site"));
