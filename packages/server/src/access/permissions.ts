import { CORE_PERMISSIONS, nearest, withParticle } from "@andon/contract";
import { validationFailed } from "../http/checked-request.ts";
import type { Site } from "../site.ts";

export interface KnownPermission {
  readonly name: string;
  /** The app that declares it; null for permissions of the core and of the settings. */
  readonly app: string | null;
}

/** Every permission that a key may hold. */
export function permissionsOf({ apps, settings }: Pick<Site, "apps" | "settings">): KnownPermission[] {
  const known = new Map<string, string | null>();
  for (const app of apps) for (const name of app.permissions ?? []) known.set(name, app.name);
  for (const name of settings.auth.permissions) if (!known.has(name)) known.set(name, null);
  for (const name of CORE_PERMISSIONS) known.set(name, null);
  return [...known].map(([name, app]) => ({ name, app }));
}

/** Refuses unknown permissions: a key with a mistyped permission would be refused everywhere. */
export function refuseUnknownPermissions(
  site: Pick<Site, "apps" | "settings">,
  given: readonly string[],
): void {
  const known = permissionsOf(site).map(({ name }) => name);
  const unknown = given.flatMap((name, index) => {
    if (known.includes(name)) return [];
    const guess = nearest(name, known);
    const message = guess
      ? {
          en: `unknown permission (did you mean "${guess}"?)`,
          ko: `알 수 없는 권한입니다(${withParticle(`"${guess}"`, "을(를)")} 쓰려고 했나요?)`,
        }
      : {
          en: `unknown permission (known: ${known.join(", ")})`,
          ko: `알 수 없는 권한입니다(쓸 수 있는 것: ${known.join(", ")})`,
        };
    return [{ in: "body" as const, field: `permissions.${index}`, message }];
  });
  if (unknown.length > 0) throw validationFailed(unknown);
}
