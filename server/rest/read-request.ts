import { JSON_LIMIT, readBody, readBytes } from '#server/kernel/body.ts'
import { AppError } from '#server/kernel/errors.ts'
import { parseStrictJson } from '#server/kernel/json.ts'
import { bareType } from '#server/uploads.ts'
import type { BodyKind, Given, ProcedureCall } from './call.ts'
import { SentFile } from './sent-file.ts'

/** Bytes of a `text/plain` body: a registration number, with room for a line break. */
const TEXT_LIMIT = 32

/** Bytes of a form: a picture of 5 MB, and what stands around it. */
const FORM_LIMIT = 5 * 1_024 * 1_024 + JSON_LIMIT

function refuse(path: string, message: string): AppError {
  return new AppError('invalid_input', {}, { issues: [{ path: path.slice(0, 60), message }] })
}

/** The fields of a query. Blank ones count as left out; one that comes twice is refused. */
export function readQuery(params: URLSearchParams): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of params) {
    if (fields.has(name)) throw refuse(name, 'Send this once.')
    fields.set(name, value)
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''))
}

function kindOf(request: Request): BodyKind | null {
  const type = bareType(request.headers.get('content-type'))
  if (type === 'application/json') return 'json'
  if (type === 'text/plain') return 'text'
  return type === 'multipart/form-data' ? 'form' : null
}

async function sentFile(file: File): Promise<SentFile> {
  return new SentFile(bareType(file.type), Buffer.from(await file.arrayBuffer()))
}

async function readForm(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, FORM_LIMIT, 'image_too_large')
  const type = request.headers.get('content-type') ?? ''
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type },
    }).formData()
  } catch {
    throw refuse('', 'The form could not be read.')
  }
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    if (fields.has(name)) throw refuse(name, 'Send this once.')
    fields.set(name, typeof value === 'string' ? value : await sentFile(value))
  }
  return Object.fromEntries(fields)
}

/** The body as it came, of a kind the call takes; null when there is none. */
export async function readSent(request: Request, call: ProcedureCall): Promise<Given['body']> {
  if (request.body === null) return null
  const kind = kindOf(request)
  if (kind === 'form' && call.schemas.body.form !== undefined) {
    return { kind, value: await readForm(request) }
  }
  const isTaken = kind !== null && call.schemas.body[kind] !== undefined
  const limit = isTaken && kind === 'text' ? TEXT_LIMIT : (call.bodyLimit ?? JSON_LIMIT)
  const text = await readBody(request, limit)
  // Programs send a type with no body, too: then there is nothing to be of a wrong one.
  if (text === '') return null
  if (!isTaken) throw new AppError('unsupported_media_type')
  return { kind, value: kind === 'json' ? parseStrictJson(text) : text }
}
