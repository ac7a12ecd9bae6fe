export {
  type Answer,
  type AnswerOrAccepted,
  type CallOptions,
  type Client,
  type ClientOf,
  type ClientOptions,
  clientOf,
  createClient,
  type Input,
} from "./client.ts";
export { RefusedError } from "./refused.ts";
