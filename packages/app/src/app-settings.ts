import type * as z from "zod";

/** An environment variable and the setting that it sets. */
export interface SettingVariable {
  /** The dotted key, such as `sqs.queueUrl`. */
  readonly key: string;
  readonly as: "text" | "number" | "list";
}

/**
 * The settings of an app. These schemas give the types, the check at start, the defaults and the reference page; each
 * setting has a `describe` text.
 */
export interface AppSettings {
  /** Settings below the app's name in the configuration file. There, `false` disables the app. */
  readonly own?: z.ZodObject;
  /** Settings at the top level of the file. Two apps may define the same key only with the same schema. */
  readonly shared?: Readonly<Record<string, z.ZodType>>;
  readonly environment?: Readonly<Record<string, SettingVariable>>;
}
