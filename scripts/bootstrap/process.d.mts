/** How `npm start` runs the server: flags of Node and the script. */
export const serverArgs: readonly string[]
