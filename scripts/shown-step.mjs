import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Shorter steps print nothing while they run. */
const QUIET_MS = 300;

const { LC_ALL, LC_MESSAGES, LANG } = process.env;
const isKorean = /^ko/i.test(LC_ALL || LC_MESSAGES || LANG || "");

/**
 * Runs one of our scripts and prints its name and duration: on a terminal as an animated line, otherwise as a line before and
 * a line after. The script's own output is printed only if it fails. Resolves to whether it succeeded.
 */
export async function shownStep(says, script, ...args) {
  const name = isKorean ? says.ko : says.en;
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1_000).toFixed(1);
  const isTerminal = process.stdout.isTTY === true;
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => printed.push(bytes));
  let frame = 0;
  const draw = () => process.stdout.write(`\r${FRAMES[frame++ % FRAMES.length]} ${name} (${seconds()} s) `);
  const telling = setTimeout(() => (isTerminal ? draw() : console.log(`… ${name}`)), QUIET_MS);
  const turning = isTerminal ? setInterval(draw, FRAME_MS) : undefined;
  const stop = (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  const code = await new Promise((resolve) =>
    child.on("close", (status, signal) => resolve(signal ?? status)),
  );
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  clearTimeout(telling);
  clearInterval(turning);
  if (isTerminal) process.stdout.write("\r\u001b[K");
  console.log(`${code === 0 ? "✓" : "✗"} ${name} (${seconds()} s)`);
  if (code !== 0) process.stderr.write(Buffer.concat(printed));
  return code === 0;
}
