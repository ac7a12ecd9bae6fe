/** The most callers' texts that are kept prepared on each connection. */
const MOST_NAMED = 256;
/** A text used this often is kept prepared. */
const OFTEN = 8;
/** A migration changes the columns of a star, and a prepared statement cannot follow. */
const STAR = /(select|distinct|,|\.|returning)\s*\*/i;

const UNNAMED = "";

const seen = new Map<string, number>();
const names = new Map<string, string>();
/** The end of every name. It changes with each schema change that invalidated a prepared statement. */
let suffix = "";
let changes = 0;

/** The current name of one of our prepared statements. */
export function nameNow(name: string): string {
  return name + suffix;
}

/**
 * The name for a caller's statement, which has none of its own. Texts that are used often keep their plan, as ours do:
 * planning takes longer than running.
 */
export function nameOfText(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined) return name === UNNAMED ? undefined : nameNow(name);
  if (names.size >= MOST_NAMED || STAR.test(text)) return undefined;
  const times = (seen.get(text) ?? 0) + 1;
  if (times < OFTEN) {
    if (seen.size >= MOST_NAMED) seen.clear();
    seen.set(text, times);
    return undefined;
  }
  seen.delete(text);
  const given = `andon_raw_${names.size}`;
  names.set(text, given);
  return nameNow(given);
}

/**
 * Call this after a schema change altered the result of the statement with this name, which PostgreSQL then refuses as
 * long as it is prepared. Such a change affects many statements on every connection, so all of them get new names and
 * are prepared again: a transaction that met one is run again once, not once per statement. A caller's text whose
 * result changed is no longer kept prepared; otherwise a text that changes with every use would cost all others their
 * plans each time.
 */
export function renameAfterChange(used: string, text: string): void {
  if (names.has(text)) names.set(text, UNNAMED);
  if (!used.endsWith(suffix)) return;
  changes++;
  suffix = `_v${changes}`;
}
