import { Navigate } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { useWords } from "../i18n/words.ts";
import { Empty } from "../ui/empty.tsx";
import { useMenu } from "./menu.tsx";

/** Redirects to the first room that the reader may enter. */
export function FirstRoom() {
  const { shell } = useWords();
  const [first] = useMenu();
  return first ? <Navigate to={first.path} replace /> : <Empty title={shell.noPermission} icon={Lock} />;
}
