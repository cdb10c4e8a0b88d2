/**
 * Every command an operator has, under one name.
 *
 *     npm run apposite -- help
 */
import { spawnSync } from 'node:child_process'
import { argv, execPath, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { COMMANDS, helpText } from './operator.ts'

function main(): number {
  const [name = 'help', ...args] = argv.slice(2)
  if (['help', '--help', '-h'].includes(name)) {
    stdout.write(helpText())
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    stderr.write(`There is no command ${name}.\n\n${helpText()}`)
    return 2
  }
  const script = fileURLToPath(new URL(command.script, import.meta.url))
  return spawnSync(execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1
}

process.exitCode = main()
