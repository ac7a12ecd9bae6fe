import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { Settings } from "../config/settings.ts";
import { redacted, withoutLogins } from "./redaction.ts";

/** The process's log: one JSON object per line on stdout. */
export function openLog(level: Settings["log"]["level"], destination?: DestinationStream): Logger {
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
    // Synchronous: a line that tells why a process ended must not be lost with it.
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}
