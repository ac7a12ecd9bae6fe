/** The result of a proof. Numbers are for the table; any entry in `findings` makes the proof fail. */
export interface Outcome {
  rounds: number;
  jobs: number;
  kills: number;
  /** Jobs that were acknowledged and did not reach their expected end. */
  lost: number;
  /** Starts before an earlier job of the lane, or while another one of the lane was at work. */
  outOfOrder: number;
  /** Effects beyond the first: each repeats work of a killed process that was not stored yet. */
  doubled: number;
  /** Milliseconds from the death of a process to the next start of each of its jobs. */
  recoveries: number[];
  findings: string[];
  /** Additional figures of this fault. */
  figures: Record<string, number>;
}

export function emptyOutcome(): Outcome {
  return {
    rounds: 0,
    jobs: 0,
    kills: 0,
    lost: 0,
    outOfOrder: 0,
    doubled: 0,
    recoveries: [],
    findings: [],
    figures: {},
  };
}

const ADDED = ["rounds", "jobs", "kills", "lost", "outOfOrder", "doubled"] as const;

export function addOutcome(total: Outcome, other: Partial<Outcome>): void {
  for (const name of ADDED) total[name] += other[name] ?? 0;
  total.recoveries.push(...(other.recoveries ?? []));
  total.findings.push(...(other.findings ?? []));
  for (const [name, value] of Object.entries(other.figures ?? {}))
    total.figures[name] = (total.figures[name] ?? 0) + value;
}

/** By nearest rank: the value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}
