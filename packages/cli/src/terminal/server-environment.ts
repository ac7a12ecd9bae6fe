/** Variables of this command alone: the server would take them for mistyped ones of its own. */
const OURS = ["ANDON_URL", "ANDON_TOKEN"];

/** The environment as the server reads it, with what the command line says over it. */
export function serverEnvironment(
  env: NodeJS.ProcessEnv,
  given: { config?: string | undefined; roles?: string | undefined } = {},
): NodeJS.ProcessEnv {
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !OURS.includes(name)));
  return {
    ...rest,
    ...(given.config === undefined ? {} : { ANDON_CONFIG: given.config }),
    ...(given.roles === undefined ? {} : { ANDON_ROLES: given.roles }),
  };
}
