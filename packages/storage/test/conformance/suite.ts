import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { OpenPlace } from "../places.ts";
import { describeFolders } from "./folders.ts";
import { describeListing } from "./listing.ts";
import { describeMoving } from "./moving.ts";
import { describePaths } from "./paths.ts";
import { describePutting } from "./putting.ts";
import { describeRandomUse } from "./random-use.ts";
import { describeReading } from "./reading.ts";

/** Runs the tests that every storage must pass over one place. Each test works in a folder of its own. */
export function describeStorage<P extends OpenPlace>(
  name: string,
  open: () => Promise<P>,
  options: { runs: number; prepare?: (place: P) => void; windowsNames?: boolean },
): void {
  describe(name, () => {
    let place: P;
    let number = 0;
    beforeAll(async () => {
      place = await open();
      options.prepare?.(place);
    });
    afterAll(() => place?.close());
    beforeEach(() => {
      number++;
    });
    const ground = {
      storage: () => place.storage,
      home: () => `t${number}`,
      at: (path: string) => `t${number}/${path}`,
      windowsNames: options.windowsNames ?? false,
    };
    describePutting(ground);
    describeReading(ground);
    describeMoving(ground);
    describeListing(ground);
    describeFolders(ground);
    describePaths(ground);
    describeRandomUse(ground, options.runs);
  });
}
