/** What describes an app to the console (`@andon/console/app`): part of the first load, so that it draws nothing. */
export {
  type AppWords,
  type ConsoleApp,
  defineConsoleApp,
  type FindThings,
  type Load,
  type QueueParts,
  type Room,
} from "./console-app.ts";
