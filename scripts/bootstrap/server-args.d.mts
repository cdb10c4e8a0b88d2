/** How the server's process is started: flags of Node and the script. */
export const serverArgs: string[]
