import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { Settings } from "../config/settings.ts";
import { textLines } from "./log-text.ts";
import { redacted, withoutLogins } from "./redaction.ts";

/** The process's log on stdout: lines for people on a terminal, else one JSON object per line. */
export function processLog({ level, format }: Settings["log"]): Logger {
  const isTerminal = process.stdout.isTTY === true;
  // Synchronous, so that the line that explains the end of the process is not lost with the process.
  const stdout = pino.destination({ dest: 1, sync: true });
  if (format === "json" || (format === "auto" && !isTerminal)) return openLog(level, stdout);
  const isColoured = isTerminal && !process.env.NO_COLOR;
  const isVerbose = level === "debug" || level === "trace";
  const toText = textLines({ isColoured, isVerbose });
  return openLog(level, { write: (line) => void stdout.write(toText(line)) });
}

/** A log that writes one JSON object per line. */
export function openLog(level: Settings["log"]["level"], destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service: "andon", pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redacted(fields) as Record<string, unknown>,
      },
      hooks: { streamWrite: withoutLogins },
    },
    destination,
  );
}
