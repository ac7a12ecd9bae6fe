/**
 * Where a file's bytes lie in the cache: in a folder per day, so that bytes which no file has come to belong to are found
 * by looking through the last days mostly.
 */
export function cacheKey(fileId: string, at: number): string {
  return `${dayFolder(at)}/${fileId}`;
}

/** The day in UTC. */
export function dayFolder(at: number): string {
  return new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
}

export function isDayFolder(path: string): boolean {
  return /^\d{8}$/.test(path);
}

/** The file that a key of the cache belongs to. */
export function fileOfKey(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}
