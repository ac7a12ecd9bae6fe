import type { FeedEvent } from "andon";
import { expectTypeOf, test } from "vitest";

test("the type of an event determines the type of its data, and a mistyped one does not compile", () => {
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
        // Events of a later version can be handled too: their type is any text.
        expectTypeOf(event.type).toExtend<string>();
        expectTypeOf(event.data.anything).toBeUnknown();
        return event.type.startsWith("job.");
    }
  };
  expectTypeOf(look).returns.toBeUnknown();
});
