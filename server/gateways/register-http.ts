import * as z from 'zod/mini'
import type { ProfessionalBody } from '#contract/people.ts'
import { UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import { callHttp } from '#server/kernel/wire/call-http.ts'

/** Documented for a refusal without words, and for a success that is no answer. */
const NO_WORDS = 'Unknown error occurred'
const NO_ANSWER = 'Unexpected response format'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1_024 * 1_024

/** What any register says about a number. */
export type RegisterEntry = { name: string; registration_number: string; status_text: string }

/** Nobody's answer is longer; what is becomes no row of ours. */
const Line = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
const PlainNumber = z.union([z.string(), z.int()])

/** Documented answer of the GMC and GDC look-ups, with the standing beside it; `null` for nobody. */
const Plain = z.object({
  Name: Line,
  registration_number: PlainNumber,
  standing: Line,
})

/** As much as we need of an answer of NPPES, version 2.1. */
const Nppes = z.object({
  result_count: z.int(),
  results: z.array(
    z.object({
      number: PlainNumber,
      basic: z.object({
        first_name: z.optional(z.string()),
        last_name: z.optional(z.string()),
        organization_name: z.optional(z.string()),
        status: Line,
      }),
    }),
  ),
})

function fromPlain(json: unknown): RegisterEntry | null {
  if (json === null) return null
  const { Name: name, registration_number: number, standing } = Plain.parse(json)
  return { name, registration_number: String(number).trim(), status_text: standing }
}

function fromNppes(json: unknown): RegisterEntry | null {
  const { results } = Nppes.parse(json)
  if (results.length > 1) throw new Error('one number, several answers')
  const [found] = results
  if (found === undefined) return null
  const { first_name: first = '', last_name: last = '', organization_name, status } = found.basic
  return {
    name: Line.parse(organization_name ?? `${first} ${last}`),
    registration_number: String(found.number).trim(),
    status_text: status,
  }
}

/** Where to ask: `{number}` in the URL is filled in, or else the number goes into the query. */
function addressOf(url: string, body: ProfessionalBody, number: string): URL {
  const filled = new URL(url.replaceAll(/\{number\}|%7Bnumber%7D/gi, encodeURIComponent(number)))
  if (/\{number\}|%7Bnumber%7D/i.test(url)) return filled
  filled.searchParams.set('number', number)
  if (body === 'NPI' && !filled.searchParams.has('version')) {
    filled.searchParams.set('version', '2.1')
  }
  return filled
}

const MAX_SAID = 200

/** Somebody else's words as a line: no signs that turn text round or hide in it. */
function lineOf(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain.length > MAX_SAID ? `${plain.slice(0, MAX_SAID)}…` : plain
}

const Refusal = z.object({ error: z.string().check(z.trim(), z.minLength(1)) })

/** The `error` of a refusal in JSON, or else its text, or else the documented words. */
function refusalIn(text: string): UpstreamWords {
  let words = text
  try {
    const refusal = Refusal.safeParse(JSON.parse(text))
    if (refusal.success) words = refusal.data.error
  } catch {
    // Plain text says what it says.
  }
  return new UpstreamWords(lineOf(words) || NO_WORDS)
}

function answerIn(text: string, body: ProfessionalBody): RegisterEntry | null {
  try {
    const json: unknown = JSON.parse(text)
    return body === 'NPI' ? fromNppes(json) : fromPlain(json)
  } catch (error) {
    throw new UpstreamWords(NO_ANSWER, { cause: error })
  }
}

/**
 * Asks a register over HTTP: its own host only, no redirect followed, five seconds and 1 MB at most,
 * and nothing is taken that is not of the documented shape. Null: it knows no such number. Throws
 * `UpstreamError` for everything else.
 */
export async function askRegister(
  url: string,
  body: ProfessionalBody,
  number: string,
): Promise<RegisterEntry | null> {
  try {
    const answer = await callHttp(addressOf(url, body, number), {
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    })
    const { status } = answer
    if (status >= 300 && status < 400) throw new Error('it sends us elsewhere')
    const text = answer.body.toString('utf8')
    // Also 404: a wrong address must not read as "nobody has this number".
    if (status >= 400) throw refusalIn(text)
    if (status !== 200) throw new UpstreamWords(NO_ANSWER)
    return answerIn(text, body)
  } catch (error) {
    throw new UpstreamError(`The ${body} register`, error)
  }
}
