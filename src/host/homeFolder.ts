/** The path of the person's own folder on this computer; '' if the system doesn't say. */
export function homeFolder(): string {
  const { env, platform } = process;
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) ?? '';
}
