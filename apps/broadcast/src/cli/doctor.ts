import type { Check } from "@andon/cli/app";
import { shownAddress } from "@andon/contract";
import { BULK } from "./i18n.ts";

const FLAG_TTL_MS = 1_000;
const LONGEST_CONNECT_MS = 2_000;

/** Redis, if the settings on this machine name one. */
export const redis: Check = {
  name: "redis",
  async run({ settings }) {
    const url = settings?.redisUrl;
    if (url === undefined) return [];
    // Imported on use: loading the client takes a fifth of the start time of a command.
    const { redisFlags } = await import("../abort/redis-flags.ts");
    const flags = redisFlags(url, FLAG_TTL_MS);
    try {
      await flags.connected(LONGEST_CONNECT_MS);
      return [{ level: "ok", what: BULK.redisAnswers, facts: { place: shownAddress(url) } }];
    } catch (error) {
      const problem = (error as Error).message || "?";
      return [{ level: "warn", what: BULK.redisAway, facts: { problem }, todo: BULK.redisTodo }];
    } finally {
      await flags.close();
    }
  },
};
