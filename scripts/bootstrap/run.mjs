import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build-stamp.mjs'
import { readOrExit } from './command-line.mjs'
import { ensureInstalled } from './install.mjs'
import { ended, forwardSignals, serverArgs, spawnRuntime } from './process.mjs'
import { root } from './tree.mjs'

/** Runs the steps and ends the process with their code; a thrown sentence is printed as it is. */
export async function main(steps) {
  try {
    process.exit(await steps())
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

/** Installs what is needed ('runtime' or 'all'), runs a script with the pinned Node and exits with its code. */
export function runScript({ needs, args }) {
  return main(async () => {
    await ensureInstalled(needs)
    const child = spawnRuntime(args)
    forwardSignals([child])
    return ended(child)
  })
}

/** Installs, builds and serves; each step only when there is something to do. */
export function start() {
  readOrExit({
    run: 'npm start',
    says: 'Install, build, migrate and serve, each when needed; settings are in the environment (docs/operating.md).',
  })
  return main(async () => {
    await ensureInstalled('runtime')
    await ensureBuilt()
    const server = spawnRuntime(serverArgs)
    forwardSignals([server])
    return ended(server)
  })
}

const SITE_PORT = '5173'

/** The server under `--watch` and Vite with hot reload, side by side; when one ends, both do. */
export function dev() {
  readOrExit({ run: 'npm run dev', says: 'Serve with both sides reloading, for development.' })
  return main(async () => {
    await ensureInstalled('runtime')
    // The server serves the map backdrops, which only a build creates.
    if (!existsSync(join(root, 'dist', 'client', 'map'))) await ensureBuilt()
    // Browsers connect to Vite, so its address is the site's origin.
    const env = { PORT: process.env.PORT ?? '3000', PUBLIC_URL: `http://localhost:${SITE_PORT}` }
    const vite = join('node_modules', 'vite', 'bin', 'vite.js')
    const children = [
      spawnRuntime(['--watch', 'server/main.ts'], { env }),
      spawnRuntime([vite, '--port', SITE_PORT, '--strictPort'], { env }),
    ]
    const wasAskedToStop = forwardSignals(children)
    const codes = children.map((child) => ended(child))
    const first = await Promise.race(codes)
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(codes)
    return wasAskedToStop() ? 0 : first
  })
}
