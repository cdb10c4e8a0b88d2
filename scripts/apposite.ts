/**
 * Every command an operator has, under one name.
 *
 *     npm run apposite -- help
 */
import { spawnSync } from 'node:child_process'
import { argv, execPath, stderr, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'

/** A command of an operator: its arguments, what it does, and the script that runs it. */
type Command = { args: string; says: string; script: string }

/** Every command of `npm run apposite`, in the order an operator needs them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  config: {
    args: '',
    says: 'show what is set and what is missing; test the database, its replica, email and both gateways',
    script: 'config-check.ts',
  },
  backup: {
    args: 'FOLDER',
    says: 'back up database, pictures and documents into a new folder there',
    script: 'backup.ts',
  },
  restore: {
    args: 'BACKUP',
    says: 'restore a backup where there is no database yet',
    script: 'restore.ts',
  },
  'audit:verify': {
    args: '[POSITION SEAL]',
    says: 'check the whole audit log and say whether it is intact',
    script: 'audit-verify.ts',
  },
  'staff:recover': {
    args: 'EMAIL',
    says: 'let a superuser back in who has lost their password and second factor',
    script: 'staff-recover.ts',
  },
  'geo:import': {
    args: 'FILE [--include-bt]',
    says: 'load postcodes, ZIP codes, or towns and villages',
    script: 'geo-import.ts',
  },
  'registry:import': {
    args: 'gmc|gdc|npi FILE',
    says: 'load a list of registered clinicians',
    script: 'registry-import.ts',
  },
  reindex: {
    args: '',
    says: 'rebuild the search index from the providers',
    script: 'reindex.ts',
  },
}

/** The list of commands, a line each. */
function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { args, says }]) => [`${name} ${args}`, says])
  const width = Math.max(...rows.map(([call = '']) => call.length)) + 2
  const lines = rows.map(([call = '', says = '']) => `  ${call.padEnd(width)}${says}`)
  return [
    'npm run apposite -- COMMAND',
    '',
    ...lines,
    '',
    'Each uses the settings of the server (README.md); npm start runs it, with a sandbox for',
    'payments at /sandbox while there are no keys of a gateway.',
    '',
  ].join('\n')
}

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

if (import.meta.main) process.exitCode = main()
