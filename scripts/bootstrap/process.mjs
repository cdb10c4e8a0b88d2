import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './tree.mjs'

const OLDEST_RUNTIME = 26

/**
 * How `npm start` runs the server, as the Dockerfile does. Without a limit V8 lets garbage grow with the machine's
 * memory before it collects (decision 021).
 */
export const serverArgs = ['--max-old-space-size=512', 'server/main.ts']

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

/** Runs a program and keeps its output: `{ code, output }`; a program that cannot start is code 127. */
export function capture(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (text) => {
      output += text
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', (error) => resolve({ code: 127, output: String(error) }))
    child.once('close', (code, signal) => resolve({ code: exitCode(code, signal), output }))
  })
}

/** The shell's convention: 128 plus the signal's number for a program that a signal ended. */
function exitCode(code, signal) {
  return signal === null ? (code ?? 1) : 128 + (constants.signals[signal] ?? 0)
}

/**
 * Forwards SIGINT, SIGTERM and SIGHUP to the children. On a terminal Ctrl-C reaches the whole process group
 * anyway: forwarded, it would arrive twice, and a second SIGINT makes the server exit at once. The returned
 * function tells whether a signal was received.
 */
export function forwardSignals(children) {
  let came = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      came = true
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      for (const child of children) child.kill(signal)
    })
  }
  onOrphaned(() => {
    came = true
    for (const child of children) child.kill('SIGTERM')
  })
  return () => came
}

/** npm sends SIGTERM to its shell, which does not forward it: our parent process then changes. */
function onOrphaned(act) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    act()
  }, 500)
  watch.unref()
}

/** Resolves with the exit code once the child is gone. */
export function ended(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(String(error))
      resolve(127)
    })
    child.once('close', (code, signal) => resolve(exitCode(code, signal)))
  })
}

const PLAIN_LINE_EVERY_MS = 10_000

/**
 * Runs `work` and shows that it is running: a line that counts the seconds on a terminal, an occasional plain line
 * anywhere else. `done` turns the result into the closing words.
 */
export async function withProgress(label, work, done = () => '') {
  const started = performance.now()
  const seconds = () => ((performance.now() - started) / 1000).toFixed(0)
  const onTerminal = process.stdout.isTTY
  if (!onTerminal) console.log(`${label} …`)
  const ticker = setInterval(
    () => {
      if (onTerminal) process.stdout.write(`\r\x1b[2K${label} … ${seconds()} s`)
      else console.log(`${label} … ${seconds()} s so far`)
    },
    onTerminal ? 250 : PLAIN_LINE_EVERY_MS,
  )
  try {
    const result = await work()
    if (onTerminal) process.stdout.write('\r\x1b[2K')
    console.log(`${label}: done in ${seconds()} s${done(result)}`)
    return result
  } catch (error) {
    if (onTerminal) process.stdout.write('\n')
    throw error
  } finally {
    clearInterval(ticker)
  }
}
