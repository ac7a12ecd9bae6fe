import type { ContenderKind } from "./contender.ts";
import { median } from "./percentile.ts";
import type { RoundResult } from "./round.ts";
import type { Comparison, Scenario } from "./scenario.ts";

/** All rounds of one contender at one setting. */
export interface VariantResult {
  contender: string;
  role: ContenderKind["role"];
  store: ContenderKind["store"];
  variant: string;
  settings: Record<string, string | number | boolean>;
  rounds: Record<string, number>[];
  /** Median of each figure over the rounds. */
  figures: Record<string, number>;
  /** The lowest and highest value of the main figure. */
  lowest?: number;
  highest?: number;
  problems: string[];
}

export function variantResult(
  kind: ContenderKind,
  variant: string,
  scenario: Scenario,
  results: RoundResult[],
): VariantResult {
  const outcomes = results.flatMap((result) => ("outcome" in result ? [result.outcome] : []));
  const errors = results.flatMap((result) => ("error" in result ? [result.error.split("\n")[0] ?? ""] : []));
  const rounds = outcomes.map((outcome) => outcome.figures);
  const names = Object.keys(rounds[0] ?? {});
  const main = rounds.map((figures) => figures[scenario.main.figure] ?? Number.NaN);
  return {
    contender: kind.name,
    role: kind.role,
    store: kind.store,
    variant,
    settings: outcomes[0]?.settings ?? {},
    rounds,
    figures: Object.fromEntries(
      names.map((name) => [name, median(rounds.map((figures) => figures[name] ?? Number.NaN))]),
    ),
    ...(main.length > 0 ? { lowest: Math.min(...main), highest: Math.max(...main) } : {}),
    problems: [...new Set([...errors, ...outcomes.flatMap((outcome) => outcome.problems)])],
  };
}

/** The best setting of a contender among those that passed every check. */
export function bestOf(
  scenario: Scenario,
  variantResults: VariantResult[],
  contender: string,
): VariantResult | undefined {
  const { figure, better } = scenario.main;
  return variantResults
    .filter(
      (one) => one.contender === contender && one.problems.length === 0 && one.figures[figure] !== undefined,
    )
    .sort(
      (a, b) => ((b.figures[figure] ?? 0) - (a.figures[figure] ?? 0)) * (better === "higher" ? 1 : -1),
    )[0];
}

export function comparison(scenario: Scenario, variantResults: VariantResult[]): Comparison {
  return {
    of: (contender, figure = scenario.main.figure) =>
      bestOf(scenario, variantResults, contender)?.figures[figure],
  };
}

/** Whether a setting gets no further rounds, because it failed or reached less than half of another setting's rate. */
export function hopeless(scenario: Scenario, results: Map<string, RoundResult[]>, variant: string): boolean {
  const first = (name: string) => {
    const result = results.get(name)?.[0];
    return result && "outcome" in result ? result.outcome.figures[scenario.main.figure] : undefined;
  };
  if (!results.get(variant)?.length) return false;
  const mine = first(variant);
  if (mine === undefined) return true;
  if (scenario.main.better === "lower") return false;
  return [...results.keys()].some((other) => (first(other) ?? 0) > 2 * mine);
}
