/** Keys grouped by their count: one statement changes all keys of a group. */
export function byCount<Key>(counts: ReadonlyMap<Key, number>): Map<number, Key[]> {
  const groups = new Map<number, Key[]>();
  for (const [key, count] of counts) {
    const group = groups.get(count);
    if (group) group.push(key);
    else groups.set(count, [key]);
  }
  return groups;
}

/** How often each key occurs. */
export function countOf<Key>(keys: Iterable<Key>): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
