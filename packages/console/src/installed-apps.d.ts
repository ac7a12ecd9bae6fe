/** Generated at build time from the list of apps (`build/installed-apps.ts`). */
declare module "virtual:installed-apps" {
  const apps: readonly import("./console-app.ts").ConsoleApp[];
  export default apps;
}
