import { spawn } from 'node:child_process'
import { constants } from 'node:os'

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
 * Forwards SIGINT, SIGTERM and SIGHUP to the children, so that ending us ends them.
 * On a terminal Ctrl-C reaches the whole process group anyway: forwarded, it would arrive twice, and a
 * server takes a second one for impatience. The returned function tells whether a signal came.
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
