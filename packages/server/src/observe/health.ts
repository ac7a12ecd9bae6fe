import type { App, AppSite, ReadinessCheck } from "@andon/app";
import type { Store } from "@andon/engine";

interface Readiness {
  readonly status: "ok" | "degraded" | "unavailable";
  readonly parts: ReadinessCheck[];
}

export interface Health {
  /**
   * Unavailable without the store; degraded if another part is away. Never throws. `isOperator` is called only when
   * degraded: otherwise there is no problem to show, or no store to look up the key.
   */
  ready(isOperator?: () => Promise<boolean>): Promise<Readiness>;
}

/** A part that takes longer to answer counts as away. */
const LONGEST_ANSWER_MS = 2_000;
const AWAY = "does not answer";

export function openHealth(store: Store, apps: readonly App[], site: AppSite): Health {
  const inspectStore = shared(() => store.ready());
  const inspectionsOfApps = apps.map(({ name, ready }) => ({
    name,
    look: shared(async () => ready?.(site) ?? []),
  }));
  return {
    async ready(isOperator = async () => false) {
      const [own = [], ...others] = await Promise.all([
        checkStore(inspectStore),
        ...inspectionsOfApps.map(({ name, look }) => checksOfApp(name, look)),
      ]);
      const parts = [own, ...others].flat();
      const isUp = own.every(({ ok }) => ok);
      const status = !isUp ? "unavailable" : parts.every(({ ok }) => ok) ? "ok" : "degraded";
      const isWhole = status === "degraded" && (await isOperator().catch(() => false));
      return { status, parts: parts.map(isWhole ? wholeCheck : publicCheck) };
    },
  };
}

/** For callers without a key: a problem's text may contain paths, hosts and users, so only its code is shown. */
function publicCheck({ name, ok, problem, code = AWAY }: ReadinessCheck): ReadinessCheck {
  return { name, ok, problem: problem === null ? null : code };
}

function wholeCheck({ name, ok, problem }: ReadinessCheck): ReadinessCheck {
  return { name, ok, problem };
}

async function checkStore(look: () => Promise<unknown>): Promise<ReadinessCheck[]> {
  const problem = await within(look()).then(
    () => null,
    (error: unknown) => problemOf(error),
  );
  return [problem === null ? { name: "store", ok: true, problem } : awayCheck("store", problem)];
}

async function checksOfApp(
  name: string,
  look: () => Promise<readonly ReadinessCheck[]>,
): Promise<readonly ReadinessCheck[]> {
  try {
    return await within(look());
  } catch (error) {
    return [awayCheck(name, problemOf(error))];
  }
}

function awayCheck(name: string, problem: string): ReadinessCheck {
  return { name, ok: false, problem, code: problem };
}

/**
 * Callers without a key may call this at any rate, so one check runs at a time. A part that hangs is checked again only after
 * the hanging call has returned, because each call that waits for a share blocks one of the few threads for file calls.
 */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  const end = () => {
    current = undefined;
  };
  return () => {
    if (!current) {
      current = look();
      current.then(end, end);
    }
    return current;
  };
}

async function within<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer for ${LONGEST_ANSWER_MS} ms`)), LONGEST_ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The code of an error, or that there was no answer: its message is not meant for callers. */
function problemOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code === "string") return code;
  return message?.startsWith("no answer") ? message : AWAY;
}
