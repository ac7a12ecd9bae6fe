import type { IRedisTransaction, RedisClient } from "bullmq";

/** A Lua script; its first `keys` arguments are keys. */
export interface Script {
  readonly name: string;
  readonly keys: number;
  readonly lua: string;
}

type Argument = string | number;

const defined = new WeakMap<object, Set<string>>();

/** Defines a script on a client, once per client. */
export function define(client: RedisClient, { name, keys, lua }: Script): void {
  const names = defined.get(client) ?? new Set();
  defined.set(client, names);
  if (names.has(name)) return;
  client.defineCommand(name, { numberOfKeys: keys, lua });
  names.add(name);
}

export function run(client: RedisClient, script: Script, args: readonly Argument[]): Promise<unknown> {
  define(client, script);
  return client.runCommand(script.name, [...args]);
}

/** The answers of a transaction, in the order of its commands. Throws the first error among them. */
export async function answersOf(transaction: IRedisTransaction): Promise<unknown[]> {
  const replies = (await transaction.exec()) ?? [];
  return replies.map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}
