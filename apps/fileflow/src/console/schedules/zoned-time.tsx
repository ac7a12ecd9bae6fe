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

/** A due time as the clock of the schedule's own zone shows it, with its offset: over a change of the clock the offset differs. */
export function ZonedTime({ at, zone }: { at: string; zone: string }) {
  // Swedish writes a date as ISO 8601 does.
  const text = new Intl.DateTimeFormat("sv-SE", { ...FORM, timeZone: zone }).format(new Date(at));
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {text}
    </time>
  );
}
