import type { Storage } from "@andon/storage";

/** What a test of the suite works with. */
export interface Ground {
  storage(): Storage;
  /** The test's own folder. */
  home(): string;
  /** A path in the test's own folder. */
  at(path: string): string;
  /** Whether the place accepts only names that Windows accepts. */
  readonly windowsNames: boolean;
}
