import { ensureInstalled } from './install.mjs'
import { ended, forwardSignals } from './process.mjs'
import { spawnRuntime } from './runtime.mjs'

/** Runs the steps and ends the process with their code; a thrown sentence is printed as it is. */
export async function main(steps) {
  try {
    process.exit(await steps())
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

/** Installs what is needed ('runtime' or 'all'), runs a script with the pinned Node, takes its code. */
export function runScript({ needs, args }) {
  return main(async () => {
    await ensureInstalled(needs)
    const child = spawnRuntime(args)
    forwardSignals([child])
    return ended(child)
  })
}
