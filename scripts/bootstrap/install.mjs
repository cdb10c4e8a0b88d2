import { existsSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { capture, withProgress } from './process.mjs'
import { filesBelow, readJson, root } from './tree.mjs'

// From this npm on, install scripts run only for packages that package.json names.
const FIRST_STRICT_NPM = [11, 19]
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']
// npm's own timeout is over a minute; an offline machine should be told sooner.
const PATIENCE = [
  '--fetch-retries=3',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=8000',
]
const UNREACHABLE =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|network/

/**
 * What node_modules holds, by npm's own record of its last complete install compared with
 * package-lock.json: 'all', 'runtime' (no test tools), or null (missing, half-done or out of date).
 */
export function installedAs(folder) {
  const wanted = readJson(join(folder, 'package-lock.json'))?.packages ?? {}
  const found = readJson(join(folder, 'node_modules', '.package-lock.json'))?.packages
  if (found === undefined) return null
  let answer = 'all'
  for (const [path, entry] of Object.entries(wanted)) {
    const there = found[path]
    if (path === '' || (there === undefined && entry.optional)) continue
    if (there === undefined && (entry.dev || entry.devOptional)) answer = 'runtime'
    else if (there?.version !== entry.version || there?.integrity !== entry.integrity) return null
  }
  return answer
}

/** Makes sure node_modules has at least `needs` ('runtime' or 'all'); throws a sentence for people. */
export async function ensureInstalled(needs) {
  const has = installedAs(root)
  if (has === 'all' || has === needs) return
  const label = needs === 'all' ? 'Installing packages and test tools' : 'Installing packages'
  await withProgress(
    label,
    () => install(needs),
    (bytes) => `, ${Math.round(bytes / 1e6)} MB in node_modules`,
  )
}

async function install(needs) {
  const omit = needs === 'runtime' ? ['--omit=dev'] : []
  const strict = await npmIsStrict()
  const scripts = strict ? '--strict-allow-scripts' : '--ignore-scripts'
  await npm(['ci', ...omit, scripts, ...QUIET, ...PATIENCE])
  const allowed = strict ? [] : allowedScripts()
  if (allowed.length > 0) await npm(['rebuild', '--ignore-scripts=false', ...allowed, ...QUIET])
  return sizeOf(join(root, 'node_modules'))
}

async function npmIsStrict() {
  const { output } = await runNpm(['--version'])
  const [major = 0, minor = 0] = output.trim().split('.').map(Number)
  return (
    major > FIRST_STRICT_NPM[0] || (major === FIRST_STRICT_NPM[0] && minor >= FIRST_STRICT_NPM[1])
  )
}

function allowedScripts() {
  const allowed = readJson(join(root, 'package.json'))?.allowScripts ?? {}
  return Object.keys(allowed).filter(
    (name) => allowed[name] === true && existsSync(join(root, 'node_modules', name)),
  )
}

async function npm(args) {
  const { code, output } = await runNpm(args)
  if (code === 0) return
  if (code === 127) throw new Error('npm was not found. It comes with Node; install Node again.')
  if (UNREACHABLE.test(output)) {
    const reason = /npm error code (.+)/.exec(output)?.[1] ?? 'no code'
    throw new Error(
      `The package registry could not be reached (${reason}). Check the internet connection or the proxy, then try again.`,
    )
  }
  throw new Error(`The packages could not be installed. npm says:\n\n${output.trim()}`)
}

function runNpm(args) {
  const script = process.env.npm_execpath
  if (script !== undefined && basename(script) === 'npm-cli.js') {
    // npm's own Node: ours is inside the folder that is about to be replaced.
    return capture(process.env.npm_node_execpath ?? process.execPath, [script, ...args], {
      cwd: root,
    })
  }
  const onWindows = process.platform === 'win32'
  return capture(onWindows ? 'npm.cmd' : 'npm', args, { cwd: root, shell: onWindows })
}

async function sizeOf(folder) {
  let bytes = 0
  for (const file of filesBelow(folder)) bytes += (await lstat(file)).size
  return bytes
}
