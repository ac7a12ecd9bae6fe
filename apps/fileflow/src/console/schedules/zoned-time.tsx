const FORM: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZoneName: "shortOffset",
};

/** A due time in the schedule's time zone with its offset, because the offset differs before and after a clock change. */
export function ZonedTime({ at, zone }: { at: string; zone: string }) {
  // The Swedish locale formats dates like ISO 8601.
  const text = new Intl.DateTimeFormat("sv-SE", { ...FORM, timeZone: zone }).format(new Date(at));
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {text}
    </time>
  );
}
