import type { Store } from "@andon/engine";

/** How many calls of a store are under way. */
export interface Busyness {
  calls: number;
}

/** The same store, with its calls counted: time is moved on only when what the last move set off has come to rest. */
export function countingCalls(store: Store, busyness: Busyness): Store {
  const read = counting(store.read, busyness);
  return counting(store, busyness, { read });
}

function counting<T extends object>(target: T, busyness: Busyness, replaced: Partial<T> = {}): T {
  return new Proxy(target, {
    get(_, name) {
      if (name in replaced) return replaced[name as keyof T];
      // The target itself is the receiver: its private fields are not the proxy's.
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
