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

/** Calls `onKey` for each key press, until the returned function is called. */
export function listenToKeys(stdin: Shell["stdin"], onKey: (key: Key) => void): () => void {
  const terminal = stdin as Shell["stdin"] & { setRawMode?: (isRaw: boolean) => unknown };
  const heard = (_text: string | undefined, { name, ctrl }: { name?: string; ctrl?: boolean }) => {
    // In raw mode the terminal passes Ctrl-C as a key and sends no signal.
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
