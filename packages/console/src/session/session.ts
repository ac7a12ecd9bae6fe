import { RefusedError } from "@andon/client";
import { mayDo, type Permission } from "@andon/contract";
import { createContext, useContext } from "react";
import { api, type Me } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { codeLogin } from "./code-login.ts";

const ME = ["me"];
let hasEnded = false;

/** True if nobody is signed in because the session expired or was ended, not because of a logout. */
export function hasSessionEnded(): boolean {
  return hasEnded;
}

export function isSignedOut(): boolean {
  return queryClient.getQueryData(ME) === null;
}

/** After a logout the cached caller is undefined; null means that the end was already noted. */
function noteEnd(): void {
  const before = queryClient.getQueryData<Me | null>(ME);
  if (before !== null) hasEnded = before !== undefined;
}

/** The signed-in caller; null for nobody. A link's code is exchanged first. */
export const meQuery = {
  queryKey: ME,
  queryFn: async (): Promise<Me | null> => {
    await codeLogin?.catch(() => undefined);
    try {
      return await api().session.me();
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 401)) throw error;
      noteEnd();
      return null;
    }
  },
};

export const MeContext = createContext<Me | null>(null);

export function useMe(): Me {
  const me = useContext(MeContext);
  if (!me) throw new Error("nobody is signed in");
  return me;
}

export interface Needed {
  readonly permission?: Permission | undefined;
  /** For all tenants: not allowed for a key with a scope. */
  readonly whole?: boolean | undefined;
}

export function isAllowed(me: Me, { permission, whole }: Needed): boolean {
  const isScoped = me.tenantId !== null || me.organizationId !== null;
  return (permission === undefined || mayDo(me, permission)) && !(whole && isScoped);
}

/** Whether the server runs the app of this room. Always true for a room of the core. */
export function runs({ apps }: Me, { app }: { readonly app?: string | undefined }): boolean {
  return app === undefined || apps.includes(app);
}

export function useAllowed(needed: Needed): boolean {
  return isAllowed(useMe(), needed);
}
