import type { Localized } from "@andon/contract";
import { isLoopback } from "../public-address.ts";
import type { Settings } from "./settings.ts";

const SHORTEST_TOKEN = 20;

/** Settings that are each valid, but together give strangers access. */
export function unsafeSettings({
  host,
  roles,
  adminToken,
}: Pick<Settings, "host" | "roles" | "adminToken">): { path: string[]; text: Localized }[] {
  const isReachable = roles.includes("api") && !isLoopback(host);
  if (!isReachable || adminToken === undefined || adminToken.length >= SHORTEST_TOKEN) return [];
  return [
    {
      path: ["adminToken"],
      text: {
        en: `has ${adminToken.length} characters and can be guessed: with host ${host}, which others can reach, it needs at least ${SHORTEST_TOKEN}`,
        ko: `${adminToken.length}자라서 추측할 수 있습니다. 외부에서 접속할 수 있는 host ${host}에서는 ${SHORTEST_TOKEN}자 이상이어야 합니다`,
      },
    },
  ];
}
