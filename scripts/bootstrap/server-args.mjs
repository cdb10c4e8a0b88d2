/**
 * How `npm start` runs the server, as the Dockerfile does. 47 MB of the heap live: without a limit V8 lets
 * garbage grow with the memory of the machine before it collects (decision 021).
 */
export const serverArgs = ['--max-old-space-size=512', 'server/main.ts']
