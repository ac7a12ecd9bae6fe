/** Variables of this command only. The server would refuse them as mistyped settings. */
const OURS = ["ANDON_URL", "ANDON_TOKEN"];

/** The environment for the server, in which the command line overrides the variables. */
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
