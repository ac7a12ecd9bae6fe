import type { App } from "@andon/app";
import * as z from "zod";
import { type Settings, settingsSchema } from "./settings.ts";

type Parsed = z.output<typeof settingsSchema>;

/** The schema of a configuration for these apps: the core's keys, each app's own key, and the keys that apps share. */
export function schemaWith(apps: readonly App[]): z.ZodObject {
  const shape: Record<string, z.ZodType> = {};
  for (const app of apps) {
    add(shape, app, app.name, ownSchema(app));
    for (const [key, schema] of Object.entries(app.settings?.shared ?? {})) add(shape, app, key, schema);
  }
  return settingsSchema.extend(shape);
}

function ownSchema({ name, settings }: App): z.ZodType {
  const own = settings?.own ?? z.strictObject({});
  return z
    .union([z.literal(false), own])
    .prefault({})
    .describe(own.description ?? `The app ${name}. \`false\`: without it.`);
}

function add(shape: Record<string, z.ZodType>, app: App, key: string, schema: z.ZodType): void {
  const other =
    key in settingsSchema.shape ? "the core" : shape[key] === undefined ? undefined : "another app";
  if (other !== undefined && shape[key] !== schema)
    throw new Error(`the app "${app.name}" defines the setting "${key}", which ${other} already defines`);
  shape[key] = schema;
}

/** Splits parsed settings into the core's and the apps' keys. An app whose own key is `false` does not run. */
export function settingsOfApps(
  parsed: Parsed,
  apps: readonly App[],
): { core: Parsed; running: readonly App[]; ofApps: Settings["ofApps"] } {
  const core: Record<string, unknown> = {};
  const ofApps: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parsed))
    (key in settingsSchema.shape ? core : ofApps)[key] = value;
  return { core: core as Parsed, running: apps.filter(({ name }) => ofApps[name] !== false), ofApps };
}

/** The settings of one app. */
export function settingsOfApp({ name, settings }: App, { ofApps }: Pick<Settings, "ofApps">) {
  const keys = [name, ...Object.keys(settings?.shared ?? {})];
  return Object.fromEntries(keys.map((key) => [key, ofApps[key]]));
}
