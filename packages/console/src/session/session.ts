import { RefusedError } from "@andon/client";
import { mayDo, type Permission } from "@andon/contract";
import { createContext, useContext } from "react";
import { api, type Me } from "../api/client.ts";
import { codeLogin } from "./code-login.ts";

/** Who is signed in; null: nobody. A link's code is exchanged first. */
export const meQuery = {
  queryKey: ["me"],
  queryFn: async (): Promise<Me | null> => {
    await codeLogin?.catch(() => undefined);
    try {
      return await api().session.me();
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401) return null;
      throw error;
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
  /** It concerns all tenants: not for a key with a scope. */
  readonly whole?: boolean | undefined;
}

export function isAllowed(me: Me, { permission, whole }: Needed): boolean {
  const isScoped = me.tenantId !== null || me.organizationId !== null;
  return (permission === undefined || mayDo(me, permission)) && !(whole && isScoped);
}

export function useAllowed(needed: Needed): boolean {
  return isAllowed(useMe(), needed);
}
