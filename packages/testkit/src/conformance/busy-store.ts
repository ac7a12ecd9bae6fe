import type { Store } from "@andon/engine";

/** The number of store calls that are running. */
export interface Busyness {
  calls: number;
}

/**
 * The same store, with its running calls counted, so that a test moves time only after the effects of the last move
 * have ended.
 */
export function countingCalls(store: Store, busyness: Busyness): Store {
  const read = counting(store.read, busyness);
  return counting(store, busyness, { read });
}

function counting<T extends object>(target: T, busyness: Busyness, replaced: Partial<T> = {}): T {
  return new Proxy(target, {
    get(_, name) {
      if (name in replaced) return replaced[name as keyof T];
      // The target is the receiver: its private fields are not accessible through the proxy.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        if (!(result instanceof Promise)) return result;
        busyness.calls++;
        const ended = () => {
          busyness.calls--;
        };
        result.then(ended, ended);
        return result;
      };
    },
  });
}
