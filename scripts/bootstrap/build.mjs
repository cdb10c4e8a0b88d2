import { buildIsFresh } from './build-stamp.mjs'
import { capture } from './process.mjs'
import { withProgress } from './progress.mjs'
import { runtimePath } from './runtime.mjs'
import { root } from './tree.mjs'

/** Builds the site unless `dist` was made from these very files. */
export async function ensureBuilt() {
  if (buildIsFresh()) return
  await withProgress('Building the site', async () => {
    const { code, output } = await capture(runtimePath(), ['scripts/build.ts'], { cwd: root })
    if (code !== 0) throw new Error(`The site could not be built.\n\n${output.trim()}`)
  })
}
