import type * as z from 'zod/mini'
import type { ErrorCode, FieldIssue } from '#contract/base/errors.ts'
import { errorMessage, isErrorCode } from '#contract/base/sentences.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Deeper than any input of ours; shallow enough for recursion. */
const MAX_DEPTH = 32

/** Index of the quote that ends the string beginning at `start`; the text is valid JSON. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (;;) {
    let slashes = 0
    while (text.charAt(end - 1 - slashes) === '\\') slashes += 1
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
}

/** Whether the string just read is a key, judging by what follows it. */
function isKeyEnd(text: string, end: number): boolean {
  let index = end + 1
  while (text.charCodeAt(index) <= 0x20) index += 1
  return text.charAt(index) === ':'
}

/** Two spellings of one name (`a`, `\u0061`) are the same key. */
function keyName(raw: string): string {
  return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw
}

function addKey(keys: Set<string> | null | undefined, name: string): boolean {
  if (keys === null || keys === undefined) return true
  if (keys.has(name)) return false
  keys.add(name)
  return true
}

/** Whether valid JSON nests too deeply or repeats a key in one object. */
function isUnsafe(text: string): boolean {
  // The keys of each object that is open; null for an array.
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '{') open.push(new Set())
    else if (char === '[') open.push(null)
    else if (char === '}' || char === ']') open.pop()
    else if (char === '"') {
      const end = endOfString(text, index)
      const isKey = isKeyEnd(text, end)
      if (isKey && !addKey(open.at(-1), keyName(text.slice(index + 1, end)))) return true
      index = end
    }
    if (open.length > MAX_DEPTH) return true
  }
  return false
}

/** The path of the first text with a NUL; null when there is none. The nesting is already bounded. */
function findNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('\0') ? path : findNul(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

/**
 * Refuses a text with a NUL as `invalid_input`, at its path: nobody types one, and Postgres can't store it.
 */
export function assertNoNul(value: unknown): void {
  const path = findNul(value, '')
  if (path === null) return
  const issues = [{ path, message: 'Use only letters, numbers and punctuation.' }]
  throw new AppError('invalid_input', {}, { issues })
}

/**
 * Parses untrusted JSON. Malformed text, nesting beyond 32 levels and repeated keys are refused with
 * `not_json`: two parsers must not read the same text differently. A NUL is refused as `assertNoNul` does.
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new AppError('not_json')
  }
  if (isUnsafe(text)) throw new AppError('not_json')
  assertNoNul(value)
  return value
}

/** Enough to help, without echoing back all of the input. */
const MAX_ISSUES = 10
const MAX_PATH = 60

function parseCode(message: string): ErrorCode | null {
  return isErrorCode(message) ? message : null
}

const EXPECTED: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
}

const FORMATS: Record<string, string> = {
  date: 'send a date such as 2026-03-02',
  datetime: 'send a date and time such as 2026-03-02T09:30:00Z',
}

/** Longer lists of choices are left to the documentation. */
const MAX_CHOICES = 12

function isText(origin: string): boolean {
  return origin === 'string'
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (isText(origin)) return `use at least ${minimum} character${minimum === 1 ? '' : 's'}`
  if (origin === 'array') return `send at least ${minimum}`
  return inclusive === false ? `send more than ${minimum}` : `send ${minimum} or more`
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  if (isText(origin)) return `use no more than ${maximum} characters`
  if (origin === 'array') return `send ${maximum} at most`
  return inclusive === false ? `send less than ${maximum}` : `send ${maximum} or less`
}

/** A message for an issue without one from the contract; null when zod gives no detail. */
function describeIssue(issue: z.core.$ZodIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return `send ${EXPECTED[issue.expected] ?? 'a value of another kind'}`
    case 'invalid_value': {
      const [one, ...more] = issue.values.map(String)
      if (more.length >= MAX_CHOICES) return 'send one of the values it may have'
      return more.length === 0 ? `send ${one}` : `send one of ${[one, ...more].join(', ')}`
    }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'it is not in the form it should have'
    case 'not_multiple_of':
      return `send a multiple of ${issue.divisor}`
    case 'invalid_union':
      return 'send one of the kinds of value it may have'
    case 'unrecognized_keys':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return null
  }
}

/** zod/mini says only "Invalid input" when a contract has no message of its own. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return errorMessage('unknown_field')
  const code = parseCode(issue.message)
  if (code !== null) return errorMessage(code)
  if (issue.message !== 'Invalid input') return issue.message
  const what = describeIssue(issue) ?? 'it is not as it should be'
  const path = pathOf(issue)
  return path === '' ? errorMessage('invalid_input') : `Check the field ${path}: ${what}.`
}

function pathOf({ path }: z.core.$ZodIssue): string {
  return path.map(String).join('.').slice(0, MAX_PATH)
}

function fieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  const message = sentenceOf(issue)
  const path = issue.path.map(String).join('.')
  const paths =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => (path === '' ? key : `${path}.${key}`))
      : [path]
  return paths.map((one) => ({ path: one.slice(0, MAX_PATH), message }))
}

function codeFor(issues: z.core.$ZodIssue[]): ErrorCode {
  for (const issue of issues) {
    const code = parseCode(issue.message)
    if (code !== null) return code
  }
  const isUnknown = issues.some((issue) => issue.code === 'unrecognized_keys')
  return isUnknown ? 'unknown_field' : 'invalid_input'
}

function isUnknownKey(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'unrecognized_keys'
}

/** The error for invalid input, with one message per field. */
export function inputRefusal(error: z.core.$ZodError): AppError {
  const first = new Map<string, FieldIssue>()
  // Unknown fields come first, because missing ones alone could exceed the maximum.
  const unknownFirst = error.issues.toSorted(
    (a, b) => Number(isUnknownKey(b)) - Number(isUnknownKey(a)),
  )
  for (const issue of unknownFirst.flatMap(fieldIssues)) {
    if (first.size < MAX_ISSUES && !first.has(issue.path)) first.set(issue.path, issue)
  }
  return new AppError(codeFor(error.issues), {}, { issues: [...first.values()] })
}

/** Reads untrusted input; throws `inputRefusal` when it does not fit the schema. */
export function parseInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw inputRefusal(result.error)
}
