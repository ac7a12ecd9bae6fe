import type { FeedEvent } from "andon";
import { expectTypeOf, test } from "vitest";

test("the type of an event tells what its data holds, and a mistyped one does not compile", () => {
  const look = (event: FeedEvent): unknown => {
    // @ts-expect-error: there is no such type.
    if (event.type === "job.faild") return undefined;
    switch (event.type) {
      case "job.failed":
        expectTypeOf(event.data.code).toEqualTypeOf<string>();
        return event.data.policy;
      case "queue.stopped":
        expectTypeOf(event.data.kind).toEqualTypeOf<"failure" | "hand">();
        return event.data.inFlight?.length;
      default:
        // Also what a later version writes can be handled: it is an event with a name.
        expectTypeOf(event.type).toExtend<string>();
        expectTypeOf(event.data.anything).toBeUnknown();
        return event.type.startsWith("job.");
    }
  };
  expectTypeOf(look).returns.toBeUnknown();
});
