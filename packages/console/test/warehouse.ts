import type { SettingsInput } from "@andon/server";

/** A destination that a test can make unreachable, and the gate of its jobs. */
export interface Dock {
  isUp: boolean;
  /** Payloads whose handler fails and whose check in the rehearsal fails. */
  readonly bad: Set<string>;
  readonly done: string[];
  /** If set, a handler waits for it. */
  gate: Promise<void> | undefined;
}

export const DOCK_QUEUE = "dock";

/** An app with one queue and a rehearsal that checks its destination. */
export function warehouse(): { dock: Dock; settings: SettingsInput } {
  const dock: Dock = { isUp: true, bad: new Set(), done: [], gate: undefined };
  const handler = async ({ payload }: { payload: string }) => {
    await dock.gate;
    if (!dock.isUp || dock.bad.has(payload)) throw new Error(`EDOCK: ${payload} was not taken`);
    dock.done.push(payload);
  };
  const app = {
    name: "warehouse",
    queues: () => ({
      [DOCK_QUEUE]: {
        rules: { mode: "serial", attempts: 1 },
        handler,
        rehearse: {
          destination: async () => (dock.isUp ? null : "the dock is shut"),
          check: async ({ payload }: { payload: unknown }) => [
            { name: "pallet", ok: !dock.bad.has(String(payload)), detail: `pallet ${payload}` },
          ],
        },
      },
    }),
  };
  return { dock, settings: { apps: [app as never] } };
}
