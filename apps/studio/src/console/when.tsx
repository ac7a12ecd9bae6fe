import { Time } from "@andon/console/room";

/**
 * An absolute time and its distance from now. A line break between the two is allowed, because both do not fit on one line of
 * a phone.
 */
export function When({ at }: { at: string }) {
  return (
    <>
      <Time at={at} show="absolute" /> (<Time at={at} />)
    </>
  );
}
