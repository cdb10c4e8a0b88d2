import { parseArgs } from 'node:util'

/** The command line is wrong: nothing is done, and the sentence is shown with the usage. */
export class UsageError extends Error {}

const HELP = { help: { type: 'boolean', short: 'h', says: 'Show this.' } }

/** What is typed to run a command: `npm run backup -- FOLDER`. */
export function callOf({ run, args = [], options = {} }) {
  const words = [...args, ...(Object.keys(options).length > 0 ? ['[OPTIONS]'] : [])]
  if (words.length === 0) return run
  return `${run}${run.includes(' -- ') ? '' : ' --'} ${words.join(' ')}`
}

/** The name of an option as it is typed: one that is on can only be switched off. */
function optionCall([name, option]) {
  const long = option.default === true ? `--no-${name}` : `--${name}`
  const value = option.value === undefined ? '' : ` ${option.value}`
  return `${option.short === undefined ? '' : `-${option.short}, `}${long}${value}`
}

/** The usage of a command, as its `--help` prints it. */
export function usageOf(command) {
  const options = Object.entries({ ...command.options, ...HELP })
  const width = Math.max(...options.map((option) => optionCall(option).length))
  const lines = options.map((option) => `  ${optionCall(option).padEnd(width)}  ${option[1].says}`)
  const more = command.more === undefined ? [] : [command.more.trimEnd(), '']
  return `${[callOf(command), '', command.says, '', ...more, ...lines].join('\n')}\n`
}

/** Node's sentence about an option, without its advice on words that begin with a dash. */
function reasonOf(error) {
  const text = error instanceof Error ? error.message : String(error)
  return `${text.split('. ')[0].replace(/\.$/, '')}.`
}

function parse({ options = {} }, argv) {
  try {
    return parseArgs({
      args: argv,
      options: { ...options, ...HELP },
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    throw new UsageError(reasonOf(error))
  }
}

const isOptional = (name) => name.includes('[') || name.includes(']')

/** Refuses too few words, too many, and empty ones, which an unset variable of a shell leaves. */
function checkWords(command, words) {
  const { args = [], asks, surplus } = command
  const needed = args.filter((name) => !isOptional(name)).length
  if (words.length < needed) throw new UsageError(`${asks}: ${callOf(command)}`)
  const takesMore = args.at(-1)?.endsWith('…]')
  if (words.length > args.length && !takesMore) {
    const extra = words[args.length]
    throw new UsageError(surplus ?? `There is one argument too many: “${extra}”.`)
  }
  const empty = words.findIndex((word) => word.trim() === '')
  if (empty !== -1) throw new UsageError(`${args[empty] ?? args.at(-1)} is empty.`)
}

function checkValues({ options = {} }, values) {
  for (const [name, { type, number: isNumber }] of Object.entries(options)) {
    const value = values[name]
    if (value === undefined || type !== 'string') continue
    if (value.trim() === '') throw new UsageError(`--${name} is empty.`)
    if (isNumber && !(Number(value) >= 0)) throw new UsageError(`--${name} must be a number.`)
  }
}

/**
 * Reads the arguments of a command: its options by name, and its words. Null when only the usage is wanted. Throws a
 * `UsageError` for anything else than the command takes.
 */
export function readCommandLine(command, argv = process.argv.slice(2)) {
  // A value such as a seal may begin with a dash like an option.
  const isValue = (text) => command.dashed?.test(text) === true
  const { values, positionals } = parse(command, [
    ...argv.filter((text) => !isValue(text)),
    ...(argv.some(isValue) && !argv.includes('--') ? ['--'] : []),
    ...argv.filter(isValue),
  ])
  if (values.help === true) return null
  checkWords(command, positionals)
  checkValues(command, values)
  return { values, words: positionals }
}

/** Before anything is installed: ends the process when only the usage is wanted, or the arguments are wrong. */
export function readOrExit(command) {
  try {
    const read = readCommandLine(command)
    if (read !== null) return read
    process.stdout.write(usageOf(command))
    process.exit(0)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n\n${usageOf(command)}`)
    process.exit(2)
  }
}
