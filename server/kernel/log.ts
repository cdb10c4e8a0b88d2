import { Writable } from 'node:stream'
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import * as z from 'zod/mini'
import { UpstreamError } from './errors.ts'

export type Log = Logger
export type LogLevel = LevelWithSilent

type LogOptions = {
  level: LogLevel
  /** One readable line for a person at a terminal, or JSON for a machine. */
  style: 'line' | 'json'
  destination?: DestinationStream
  /** The current trace id, if any. */
  traceId?: () => string | undefined
}

/** Fields that are never logged. */
const REDACTED_FIELDS = [
  'email',
  'first_name',
  'last_name',
  'name',
  'message',
  'phone',
  'password',
  'token',
  'code',
  'otp',
  'secret',
  'auth_token',
  'access_token',
  'refresh_token',
  'second_factor',
  'current_password',
  'new_password',
  'confirm_password',
  'captchaValue',
  'phone_number',
  'date_of_birth',
  'to',
  'replyTo',
  'authorization',
  'cookie',
]

const LEVELS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** External services may quote personal data in error texts, so only their codes are logged. */
function upstreamFacts({ cause }: UpstreamError): Record<string, unknown> {
  if (!(cause instanceof Error)) return {}
  return {
    cause: cause.name,
    errorCode: 'code' in cause ? cause.code : undefined,
    responseCode: 'responseCode' in cause ? cause.responseCode : undefined,
  }
}

/** The loggable parts of an error: its kind, code and stack; never a query or its values. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const code = 'code' in error ? String(error.code) : undefined
  if (error instanceof UpstreamError)
    return { kind: error.name, text: error.message, ...upstreamFacts(error) }
  return {
    kind: error.name,
    text: error.message,
    ...(code === undefined ? {} : { errorCode: code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

/** The fields of a pino record that readable lines need. */
const Line = z.looseObject({
  level: z.number(),
  time: z.string(),
  msg: z.optional(z.string()),
  err: z.optional(z.looseObject({ stack: z.optional(z.string()) })),
})

function formatLine(json: string): string {
  const { level, time, msg, err, ...rest } = Line.parse(JSON.parse(json))
  const facts = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const stack = err?.stack === undefined ? '' : `\n${err.stack}`
  const clock = time.slice(11, 19)
  return `${clock} ${LEVELS[level] ?? 'info'} ${msg ?? ''} ${facts.join(' ')}`
    .trimEnd()
    .concat(stack, '\n')
}

/** A stream that prints JSON records as readable lines on standard output. */
function prettyStream(): DestinationStream {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      process.stdout.write(formatLine(chunk.toString()))
      done()
    },
  })
}

/** The structured log. Removes personal fields at the top two levels of nesting. */
export function makeLog(options: LogOptions): Log {
  const { traceId } = options
  const settings = {
    ...(traceId === undefined ? {} : { mixin: () => ({ trace_id: traceId() }) }),
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED_FIELDS.flatMap((key) => [key, `*.${key}`]), remove: true },
    serializers: { err: describeError },
  }
  if (options.destination !== undefined) return pino(settings, options.destination)
  return options.style === 'line' ? pino(settings, prettyStream()) : pino(settings)
}
