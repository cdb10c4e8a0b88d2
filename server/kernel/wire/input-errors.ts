import type * as z from 'zod/mini'
import { ErrorCode, type FieldIssue } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'
import { AppError } from '#server/kernel/errors.ts'

/** Enough to help, too little to be an echo of whatever was sent. */
const MAX_ISSUES = 10
const MAX_PATH = 60

function asCode(message: string): ErrorCode | null {
  const parsed = ErrorCode.safeParse(message)
  return parsed.success ? parsed.data : null
}

/** zod/mini says only "Invalid input" where a contract has no words of its own. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return sentenceFor('unknown_field')
  const code = asCode(issue.message)
  if (code !== null) return sentenceFor(code)
  return issue.message === 'Invalid input' ? sentenceFor('invalid_input') : issue.message
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
    const code = asCode(issue.message)
    if (code !== null) return code
  }
  const isUnknown = issues.some((issue) => issue.code === 'unrecognized_keys')
  return isUnknown ? 'unknown_field' : 'invalid_input'
}

function isUnknownKey(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'unrecognized_keys'
}

/** The refusal of an input the contract did not accept, with one sentence for each field. */
export function inputRefusal(error: z.core.$ZodError): AppError {
  const first = new Map<string, FieldIssue>()
  // Before what is missing, of which there may be more than are named.
  const unknownFirst = error.issues.toSorted(
    (a, b) => Number(isUnknownKey(b)) - Number(isUnknownKey(a)),
  )
  for (const issue of unknownFirst.flatMap(fieldIssues)) {
    if (first.size < MAX_ISSUES && !first.has(issue.path)) first.set(issue.path, issue)
  }
  return new AppError(codeFor(error.issues), {}, { issues: [...first.values()] })
}
