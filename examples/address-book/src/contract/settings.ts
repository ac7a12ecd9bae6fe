import type { AppSettings } from "@andon/app";
import * as z from "zod";

const own = z
  .strictObject({
    refusedDomains: z
      .array(z.string())
      .default(["example.invalid"])
      .describe("Domains whose addresses fail their check."),
  })
  .describe("The address book. `false`: without it.");

export const ADDRESS_SETTINGS = { own } as const satisfies AppSettings;

export type AddressSettings = z.output<typeof own>;
