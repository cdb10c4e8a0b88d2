/** An option; a flag that is on by default is switched off with `--no-…`. */
export type Option = { says: string } & (
  | { type: 'boolean'; default: boolean }
  | {
      type: 'string'
      /** What stands for the value in the usage. */
      value: string
      default: string
      /** Only a number of at least 0 is taken. */
      number?: true
    }
)

/** A command: how it is run, what it takes, and what it does. */
export type Command = {
  /** `npm run backup`. */
  run: string
  /** Its words: `FILE`, `[OUTPUT]` for one that may be left out, `[STEP…]` for any number. */
  args?: readonly string[]
  /** What it does, in a sentence. */
  says: string
  /** Asks for words that are missing, before a colon. */
  asks?: string
  /** Refuses words that are too many. */
  surplus?: string
  options?: Readonly<Record<string, Option>>
  /** Words that are values even where they begin with a dash. */
  dashed?: RegExp
  /** Further lines of the usage. */
  more?: string
}

type Values<C extends Command> = {
  [Name in keyof C['options']]: C['options'][Name] extends { type: 'boolean' } ? boolean : string
}

export type CommandLine<C extends Command> = { values: Values<C>; words: string[] }

/** The command line is wrong: nothing is done, and the sentence is shown with the usage. */
export class UsageError extends Error {}
/** What is typed to run a command: `npm run backup -- FOLDER`. */
export function callOf(command: Command): string
/** The usage of a command, as its `--help` prints it. */
export function usageOf(command: Command): string
/** Null when only the usage is wanted; throws a `UsageError` for anything else than the command takes. */
export function readCommandLine<const C extends Command>(
  command: C,
  argv?: readonly string[],
): CommandLine<C> | null
/** Before anything is installed: ends the process when only the usage is wanted, or the arguments are wrong. */
export function readOrExit<const C extends Command>(command: C): CommandLine<C>
