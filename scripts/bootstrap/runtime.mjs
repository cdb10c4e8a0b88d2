import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './tree.mjs'

const OLDEST_RUNTIME = 26

/** The pinned Node inside node_modules; our own when it is as new (a platform without a package). */
export function runtimePath() {
  const modules = join(root, 'node_modules')
  const names = [
    `node-${process.platform}-${process.arch}`,
    `node-bin-${process.platform}-${process.arch}`,
  ]
  if (process.platform === 'win32') names.push(`node-win-${process.arch}`)
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const pinned = names
    .map((name) => join(modules, name, 'bin', file))
    .find((path) => existsSync(path))
  if (pinned !== undefined) return pinned
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_RUNTIME) return process.execPath
  throw new Error(
    `There is no packaged Node ${OLDEST_RUNTIME} for ${process.platform} on ${process.arch}. ` +
      `Run this with Node ${OLDEST_RUNTIME} or newer.`,
  )
}

/** Starts the pinned Node in the repository's root; anything it starts in turn finds it first. */
export function spawnRuntime(args, options) {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return spawn(runtimePath(), args, {
    cwd: root,
    stdio: 'inherit',
    ...options,
    env: { ...process.env, PATH: path, ...options?.env },
  })
}
