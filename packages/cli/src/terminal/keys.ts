import { emitKeypressEvents } from "node:readline";
import type { Shell } from "./shell.ts";

export type Key = "up" | "down" | "open" | "back" | "quit";

const KEYS: Readonly<Record<string, Key>> = {
  up: "up",
  k: "up",
  down: "down",
  j: "down",
  return: "open",
  enter: "open",
  right: "open",
  escape: "back",
  backspace: "back",
  left: "back",
  q: "quit",
};

/** Tells of keys that a person presses, until the function that it returns is called. */
export function listenToKeys(stdin: Shell["stdin"], onKey: (key: Key) => void): () => void {
  const terminal = stdin as Shell["stdin"] & { setRawMode?: (isRaw: boolean) => unknown };
  const heard = (_text: string | undefined, { name, ctrl }: { name?: string; ctrl?: boolean }) => {
    // A terminal in this mode gives Ctrl-C to the reader, not to the process.
    const key = ctrl && name === "c" ? "quit" : KEYS[name ?? ""];
    if (key) onKey(key);
  };
  emitKeypressEvents(terminal);
  terminal.setRawMode?.(true);
  terminal.on("keypress", heard);
  terminal.resume();
  return () => {
    terminal.off("keypress", heard);
    terminal.setRawMode?.(false);
    terminal.pause();
  };
}
