/**
 * The key of a file's bytes in the cache. It begins with the day of the upload: bytes that never became a file are then
 * mostly in the folders of the last days.
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
