import { useState } from "react";
import { api } from "../api/client.ts";
import type { Follow } from "../api/follow-operation.ts";
import { useWords } from "../i18n/words.ts";
import { DecisionDialog } from "../ui/decision-dialog.tsx";
import { TextField } from "../ui/field.tsx";

export type LaneAction = "release" | "cancelRest";

interface LaneDecisionProps {
  readonly action: LaneAction;
  readonly queue: string;
  readonly lane: string;
  readonly tenantId: string;
  readonly depth: number;
  readonly onClose: () => void;
}

const because = (reason: string | undefined) => (reason === undefined ? {} : { reason });

export function LaneDecision({ action, queue, lane: key, tenantId, depth, onClose }: LaneDecisionProps) {
  const { act, common } = useWords();
  const { effect } = act;
  const rules = {
    release: {
      effects: [effect.release(depth)],
      reason: "optional" as const,
      decide: (reason: string | undefined) =>
        api().lanes.release({ queue, key, tenantId, ...because(reason) }),
    },
    cancelRest: {
      effects: [effect.cancelRest],
      reason: "required" as const,
      decide: async (reason = "", follow: Follow) =>
        follow(await api().lanes.cancelRest({ queue, key, tenantId, reason })),
    },
  };
  const rule = rules[action];
  return (
    <DecisionDialog
      title={act.of[action](key)}
      effects={[...rule.effects, common.nothingElse]}
      confirm={act[action]}
      reason={rule.reason}
      decide={rule.decide}
      onClose={onClose}
    />
  );
}

/** Any lane can be held, also a new one, so its key is typed. */
export function HoldLane({ queue, onClose }: { queue: string; onClose: () => void }) {
  const { act, common, queue: say } = useWords();
  const [key, setKey] = useState("");
  return (
    <DecisionDialog
      title={act.hold}
      effects={[act.effect.hold, common.nothingElse]}
      confirm={act.hold}
      reason="optional"
      decide={(reason) => api().lanes.hold({ queue, key, ...because(reason) })}
      onClose={onClose}
    >
      <TextField
        label={say.laneKey}
        required
        maxLength={1_000}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
    </DecisionDialog>
  );
}
