/** How the server's process is started: flags of Node and the script. */
export const serverArgs: string[]
/** What its environment must hold beside what `env` sets already. */
export function serverEnv(env?: Record<string, string | undefined>): Record<string, string>
