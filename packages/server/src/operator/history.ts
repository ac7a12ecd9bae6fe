import { type HistoryPoint, iso, type QueueHistory } from "@andon/contract";

type WirePoint = Omit<HistoryPoint, "at"> & { at: string };

export function historyView({ queue, step, points }: QueueHistory) {
  return { queue, step, points: points.map((point): WirePoint => ({ ...point, at: iso(point.at) })) };
}

const COLUMNS = [
  "at",
  "added",
  "done",
  "failed",
  "attemptsFailed",
  "waitP50",
  "waitP95",
  "runP50",
  "runP95",
  "waiting",
  "running",
] as const satisfies readonly (keyof WirePoint)[];

/** It contains only numbers and times, so nothing needs quotes. A null is an empty field. */
export function historyCsv(history: QueueHistory): string {
  const lines = historyView(history).points.map((point) =>
    COLUMNS.map((column) => point[column] ?? "").join(","),
  );
  return `${[COLUMNS.join(","), ...lines].join("\r\n")}\r\n`;
}

/** Whether the `Accept` header prefers `text/csv` to JSON: by weight, else by order. */
export function wantsCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weightOf = (type: string) => {
    const range = accept
      .toLowerCase()
      .split(",")
      .map((part) => part.trim().split(";"))
      .find(([name]) => name?.trim() === type);
    if (!range) return 0;
    const weight = range.slice(1).find((parameter) => parameter.trim().startsWith("q="));
    return weight === undefined ? 1 : Number(weight.trim().slice(2)) || 0;
  };
  return weightOf("text/csv") > weightOf("application/json");
}
