import type { Permission } from "@andon/contract";
import { useQuery } from "@tanstack/react-query";
import { isAllowed, useMe } from "../session/session.ts";

/** Something of the vault that a key with this permission may read. */
const ASKED: readonly (readonly [Permission, string])[] = [
  ["files.read", "/folders/root?limit=1"],
  ["queue.read", "/admin/sync-queue/held?limit=1"],
];

/**
 * Whether this server has the vault, asked once; undefined: not answered yet. The question also takes a page, which is what a server answers where
 * it knows no route: so a server without the vault leaves no error in the browser's console.
 */
export function useVaultPresence(): boolean | undefined {
  const me = useMe();
  const path = ASKED.find(([permission]) => isAllowed(me, { permission }))?.[1];
  const { data } = useQuery({
    queryKey: ["has-vault", path],
    queryFn: async ({ signal }) => {
      const answer = await fetch(path as string, {
        signal,
        headers: { accept: "application/json, text/html" },
      });
      if (answer.status >= 500) throw new Error(`The server answered ${answer.status}.`);
      return answer.ok && (answer.headers.get("content-type") ?? "").startsWith("application/json");
    },
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return path === undefined ? false : data;
}
