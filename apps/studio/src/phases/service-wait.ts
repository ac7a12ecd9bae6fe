import { filledIn, type Localized } from "@andon/contract";
import { Snooze } from "@andon/engine";

/** A service asks for a later retry: the phase gives its place back until then, and the log says why. */
export class ServiceWait extends Snooze {
  readonly problem: Localized;

  constructor(ms: number, problem: Localized, facts: Readonly<Record<string, number | string>> = {}) {
    super(ms);
    this.problem = { en: filledIn(problem.en, facts), ko: filledIn(problem.ko, facts) };
  }
}
