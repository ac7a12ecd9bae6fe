import { queueColumns, type Use } from "@andon/cli/app";
import { VAULT_ROUTES } from "../../contract/routes.ts";
import { DEMO } from "./i18n.ts";
import { QUEUE } from "./stage.ts";

const MOST_FILES = 20;

/** The current state of the queue and the files. */
export async function boardLines({
  client,
  clientOf,
  out,
}: Pick<Use, "client" | "clientOf" | "out">): Promise<string[]> {
  const [queue, files] = await Promise.all([
    client.queues.overview({ queue: QUEUE }),
    clientOf(VAULT_ROUTES).files.list({ limit: MOST_FILES }),
  ]);
  const line = out.table(queueColumns(out), [queue]);
  const shown = out.table(
    [
      { head: out.say(DEMO.file), of: ({ name }) => name },
      {
        head: out.say(DEMO.onNas),
        of: (file) => nasState(file),
        colour: (file) => COLOURS[nasState(file) ?? ""],
      },
    ],
    files.items,
  );
  return `\n${line}\n\n${shown}`.split("\n");
}

const COLOURS: Readonly<Record<string, "green" | "red" | "yellow">> = {
  AVAILABLE: "green",
  ERROR: "red",
  PENDING: "yellow",
};

interface Stored {
  readonly storage: readonly { type: string; availabilityStatus: string }[];
}

export function nasState({ storage }: Stored): string | null {
  return storage.find(({ type }) => type === "NAS")?.availabilityStatus ?? null;
}
