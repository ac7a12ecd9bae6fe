/** The API with which an app describes itself to the console (`@andon/console/app`). In the first load, so it has no components. */
export {
  type AppWords,
  type ConsoleApp,
  defineConsoleApp,
  type FindThings,
  type Load,
  type QueueParts,
  type Room,
} from "./console-app.ts";
