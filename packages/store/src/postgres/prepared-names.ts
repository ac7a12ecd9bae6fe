/** As many texts of callers as are kept prepared on each connection. */
const MOST_NAMED = 256;
/** A text that comes this often is worth keeping. */
const OFTEN = 8;
/** What a star stands for changes with a migration, and a prepared statement cannot. */
const STAR = /(select|distinct|,|\.|returning)\s*\*/i;

const UNNAMED = "";

const seen = new Map<string, number>();
const names = new Map<string, string>();
/** The end of every name, another one after each change of the schema that made a prepared statement useless. */
let suffix = "";
let changes = 0;

/** The name that a statement of ours is prepared by. */
export function nameNow(name: string): string {
  return name + suffix;
}

/**
 * Callers' statements have no names of their own. Of those that come again and again the plan is kept, as of ours: to
 * make it takes longer than to run it.
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
 * To be called after the schema changed what the statement of this name returns, which PostgreSQL refuses for as long as
 * it is prepared. A change concerns many statements on every connection, so all of them get new names and are prepared
 * again: a transaction that met one has to run again once, and not once for each. A text of a caller whose result changed
 * is not kept prepared any more, or one that changes with every use would cost all others their plans each time.
 */
export function renameAfterChange(used: string, text: string): void {
  if (names.has(text)) names.set(text, UNNAMED);
  if (!used.endsWith(suffix)) return;
  changes++;
  suffix = `_v${changes}`;
}
