import { installPackages, onPath } from "./install-packages.ts";

const PROGRAMS = ["ffmpeg", "ffprobe", "espeak-ng"];
const PACKAGES = ["ffmpeg", "fonts-noto-cjk", "espeak-ng"];

/**
 * Whether films can be rendered and spoken here. Installs missing programs if that is possible; otherwise prints one
 * line that says what to install.
 */
export function ensureFilmPrograms(): boolean {
  const hasAll = () => PROGRAMS.every((program) => onPath(program) !== undefined);
  if (hasAll()) return true;
  installPackages("ffmpeg or espeak-ng", PACKAGES);
  if (hasAll()) return true;
  console.warn(`No films: install ${PACKAGES.join(" ")}.`);
  return false;
}
