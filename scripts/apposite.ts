/**
 * Every command an operator has, under one name.
 *
 *     npm run apposite -- help
 */
import { spawnSync } from 'node:child_process'
import { argv, execPath, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Command } from './bootstrap/command-line.mjs'
import { COMMANDS } from './commands.ts'

type Name = keyof typeof COMMANDS

function isCommand(name: string): name is Name {
  return Object.hasOwn(COMMANDS, name)
}

/** The list of commands, a line each. */
function helpText(): string {
  const commands: [string, Command][] = Object.entries(COMMANDS)
  const rows = commands.map(
    ([name, { args = [], says }]) => [[name, ...args].join(' '), says] as const,
  )
  const width = Math.max(...rows.map(([call]) => call.length)) + 2
  return [
    'npm run apposite -- COMMAND',
    '',
    ...rows.map(([call, says]) => `  ${call.padEnd(width)}${says}`),
    '',
    'COMMAND --help says more. Each uses the settings of the server (docs/operating.md); npm start runs it,',
    'with a sandbox for payments at /sandbox while there are no keys of a gateway.',
    '',
  ].join('\n')
}

function main(): number {
  const [first = 'help', ...args] = argv.slice(2)
  const isHelp = ['help', '--help', '-h'].includes(first)
  const name = isHelp ? (args[0] ?? '') : first
  if (isHelp && args.length === 0) {
    stdout.write(helpText())
    return 0
  }
  if (!isCommand(name) || (isHelp && args.length > 1)) {
    const what = isCommand(name)
      ? 'There is one argument too many.'
      : `There is no command ${name}.`
    stderr.write(`${what}\n\n${helpText()}`)
    return 2
  }
  const script = fileURLToPath(new URL(COMMANDS[name].script, import.meta.url))
  const words = isHelp ? ['--help'] : args
  return spawnSync(execPath, [script, ...words], { stdio: 'inherit' }).status ?? 1
}

if (import.meta.main) process.exitCode = main()
