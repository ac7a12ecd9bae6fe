import { useSyncExternalStore } from "react";

const KEY = "andon.motion";
const OFF = "off";
const readers = new Set<() => void>();
let isOff = localStorage.getItem(KEY) === OFF;

/** The style sheet turns motion off for `data-motion="off"`, and always if the system asks for reduced motion. */
export function showMotion(): void {
  const { dataset } = document.documentElement;
  if (isOff) dataset.motion = OFF;
  else delete dataset.motion;
}

export function setMotion(isOn: boolean): void {
  isOff = !isOn;
  if (isOff) localStorage.setItem(KEY, OFF);
  else localStorage.removeItem(KEY);
  showMotion();
  for (const read of readers) read();
}

export function useMotion(): boolean {
  return useSyncExternalStore(
    (read) => {
      readers.add(read);
      return () => readers.delete(read);
    },
    () => !isOff,
  );
}
