/** The path of the user's own folder on this computer; '' if the system doesn't say. */
export function homeFolder({ env, platform }: NodeJS.Process): string {
  return (platform === 'win32' ? env.USERPROFILE : env.HOME) ?? '';
}
