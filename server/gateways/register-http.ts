import * as z from 'zod/mini'
import type { ProfessionalBody } from '#contract/people.ts'
import { UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import { callHttp } from '#server/kernel/wire/call-http.ts'

/** Documented messages for a rejection without text, and for a success of an unexpected shape. */
const NO_WORDS = 'Unknown error occurred'
const NO_ANSWER = 'Unexpected response format'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1_024 * 1_024

/** A register's entry for a number. */
export type RegisterEntry = { name: string; registration_number: string; status_text: string }

/** Longer values are rejected and never stored. */
const Line = z.string().check(z.trim(), z.minLength(1), z.maxLength(200))
const PlainNumber = z.union([z.string(), z.int()])

/** Documented response of the GMC and GDC look-ups, plus the status; `null` if not found. */
const Plain = z.object({
  Name: Line,
  registration_number: PlainNumber,
  standing: Line,
})

/** The fields that are read of an NPPES response, version 2.1. */
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

/** URL of a look-up: `{number}` is replaced if present, otherwise the number is added to the query. */
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

/** External text as one line, without control, bidi or invisible characters. */
function lineOf(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return plain.length > MAX_SAID ? `${plain.slice(0, MAX_SAID)}…` : plain
}

const Refusal = z.object({ error: z.string().check(z.trim(), z.minLength(1)) })

/** The `error` field of a JSON rejection, otherwise its text, otherwise the documented message. */
function refusalIn(text: string): UpstreamWords {
  let words = text
  try {
    const refusal = Refusal.safeParse(JSON.parse(text))
    if (refusal.success) words = refusal.data.error
  } catch {
    // Not JSON: the text itself is the message.
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
 * Queries a register over HTTP: its own host only, no redirects, at most five seconds and 1 MB; the response
 * must have the documented shape. Null if the number is not registered. Throws `UpstreamError` for everything
 * else.
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
    // Including 404: a misconfigured URL must not read as "not registered".
    if (status >= 400) throw refusalIn(text)
    if (status !== 200) throw new UpstreamWords(NO_ANSWER)
    return answerIn(text, body)
  } catch (error) {
    throw new UpstreamError(`The ${body} register`, error)
  }
}
