import { Navigate } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { Empty, Skeleton } from "../kit/empty.tsx";
import { useVaultPresence } from "../vault/presence.ts";
import { useWords } from "../words/words.ts";
import { useMenu } from "./menu.tsx";

/** Leads to the first room that the reader may enter, once it is known which rooms there are. */
export function FirstRoom() {
  const { shell } = useWords();
  const [first] = useMenu();
  const hasVault = useVaultPresence();
  if (hasVault === undefined) return <Skeleton rows={6} />;
  return first ? <Navigate to={first.path} replace /> : <Empty title={shell.noPermission} icon={Lock} />;
}
