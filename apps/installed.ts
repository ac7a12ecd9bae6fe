/** Every app that comes with Andon, by its package. Server, console and command are assembled from this list. */
export const INSTALLED_APPS = [
  "@andon/vault",
  "@andon/broadcast",
  "@andon/studio",
  "@andon/fileflow",
] as const;
