import { AndonError, guessFor, type Localized, shownAddress } from "@andon/contract";
import pg from "pg";
import { codeOf } from "./faults.ts";

/** Parameters that the driver reads from a URL. It ignores all others silently. */
const PARAMETERS = [
  "host",
  "port",
  "user",
  "password",
  "ssl",
  "sslmode",
  "sslcert",
  "sslkey",
  "sslrootcert",
  "sslnegotiation",
  "uselibpqcompat",
  "application_name",
  "fallback_application_name",
  "client_encoding",
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "query_timeout",
  "options",
];

const CONNECTIONS: Localized = {
  en: "The number of connections is the option `connections` of `open`.",
  ko: "연결 수는 `open`의 `connections` 옵션으로 정합니다.",
};

/** Parameters that other programs accept, with the equivalent here. */
const INSTEAD: Readonly<Record<string, Localized>> = {
  schema: {
    en: "Use a database of its own, or name a schema that exists as `options=-c%20search_path%3D<schema>`.",
    ko: "전용 데이터베이스를 쓰거나, 이미 있는 스키마를 `options=-c%20search_path%3D<스키마>`로 지정하세요.",
  },
  max: CONNECTIONS,
  connection_limit: CONNECTIONS,
};

/** Refuses an address that cannot be parsed, or whose parameters would have no effect. */
export function checkAddress(url: string): void {
  if (!isReadable(url)) throw new AndonError("STORE_URL", { given: shownAddress(url) });
  const unknown = [...parametersOf(url).keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw new AndonError("UNKNOWN_OPTION", {
      where: { en: "the store's URL", ko: "저장소 URL" },
      option: unknown,
      hint: INSTEAD[unknown] ?? guessFor(unknown, PARAMETERS),
    });
  }
}

/**
 * A parameter whose name is not a word is the rest of a password that contains a `?`; it must not appear in a message.
 */
function isReadable(url: string): boolean {
  if ([...parametersOf(url).keys()].some((name) => !/^\w+$/.test(name))) return false;
  try {
    new pg.Client({ connectionString: url });
    return true;
  } catch (error) {
    if (error instanceof URIError || codeOf(error) === "ERR_INVALID_URL") return false;
    throw error;
  }
}

/**
 * The connection options for this address. `ours` are settings (`-c name=value`) placed after the caller's, so that
 * they win over settings of the same name.
 */
export function connectionTo(url: string, ours = ""): { connectionString: string; options?: string } {
  const parameters = parametersOf(url);
  const options = [parameters.get("options") ?? process.env.PGOPTIONS, ours].filter(Boolean).join(" ");
  parameters.delete("options");
  // The driver lets `options` in the URL override the `options` member.
  const connectionString = [url.split("?", 1)[0], parameters].filter((part) => String(part) !== "").join("?");
  return options === "" ? { connectionString } : { connectionString, options };
}

function parametersOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : url.slice(at + 1));
}
