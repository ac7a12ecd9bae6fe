import { Time } from "@andon/console/room";

/** A time and how far it is from now, which may break between the two: on a phone they do not fit on one line. */
export function When({ at }: { at: string }) {
  return (
    <>
      <Time at={at} show="absolute" /> (<Time at={at} />)
    </>
  );
}
