import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { ImageResponse } from '#contract/gallery.ts'
import { audited } from '#server/admission.ts'
import type { Context } from '#server/context.ts'
import type { HttpContext, Middleware } from '#server/http/request-context.ts'
import { bareType, JSON_LIMIT, limitBody, readBytes, readText } from '#server/http/route-guards.ts'
import { admitUpload, assertType, uploadAt } from '#server/http/uploads.ts'
import { AppError } from '#server/kernel/errors.ts'
import { parseStrictJson } from '#server/kernel/wire/input.ts'
import type { BodyKind, ProcedureCall, RestRequest } from './call.ts'

/** A file from a form. Its name is dropped, because we never use it. */
export class UploadedFile {
  readonly type: string
  readonly bytes: Buffer

  constructor(type: string, bytes: Buffer) {
    this.type = type
    this.bytes = bytes
  }

  /** The value that an `Idempotency-Key` compares. */
  toJSON(): { type: string; digest: string } {
    return { type: this.type, digest: hash('sha256', this.bytes, 'base64url') }
  }
}

/** A picture in a form. */
export const Picture = z
  .instanceof(UploadedFile, { error: 'image_type' })
  .check(
    z.meta({ type: 'string', format: 'binary', description: 'A JPEG, PNG, WebP or AVIF image.' }),
  )

/**
 * Stores an image from a form as an upload endpoint does and returns its address. Throws as procedures do.
 */
export function uploadImage(ctx: Context, path: string, file: UploadedFile): Promise<string> {
  const upload = uploadAt(path)
  return audited(ctx, path, async () => {
    const signedIn = admitUpload(ctx, upload)
    assertType(upload, file.type)
    if (file.bytes.length > upload.max) throw new AppError(upload.tooLarge)
    return z.parse(ImageResponse, await upload.take(signedIn, file.bytes)).image_url
  })
}

/** Size limit of a `text/plain` body in bytes: a registration number, with room for a line break. */
const TEXT_LIMIT = 32

/** Most parts of a form: twice as many as any call has fields. */
const MAX_PARTS = 10

/** Size limit of one part's headers, in bytes. */
const MAX_PART_HEADERS = 2_048

/** Size limit of a form in bytes: a picture of 5 MB plus the other parts. */
const FORM_LIMIT = 5 * 1_024 * 1_024 + JSON_LIMIT

const UNREADABLE = 'The form could not be read.'

function refuse(path: string, message: string): AppError {
  return new AppError('invalid_input', {}, { issues: [{ path: path.slice(0, 60), message }] })
}

/** The query parameters. Blank ones count as left out; repeated ones are refused. */
export function readQuery(params: URLSearchParams): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of params) {
    if (fields.has(name)) throw refuse(name, 'Send this once.')
    fields.set(name, value)
  }
  return Object.fromEntries([...fields].filter(([, value]) => value !== ''))
}

function kindOf(c: HttpContext): BodyKind | null {
  const type = bareType(c.req.header('content-type'))
  if (type === 'application/json') return 'json'
  if (type === 'text/plain') return 'text'
  return type === 'multipart/form-data' ? 'form' : null
}

function takes(call: ProcedureCall, kind: BodyKind | null): kind is BodyKind {
  return kind !== null && call.schemas.body[kind] !== undefined
}

/** Limits a body by its content type; types the call does not accept get the JSON limit. */
export function limitFor(call: ProcedureCall): Middleware {
  const json = limitBody(call.bodyLimit ?? JSON_LIMIT)
  const limits = {
    json,
    text: limitBody(TEXT_LIMIT),
    form: limitBody(FORM_LIMIT, 'image_too_large'),
  }
  return (c, next) => {
    const kind = kindOf(c)
    return (takes(call, kind) ? limits[kind] : json)(c, next)
  }
}

async function uploadedFile(file: File): Promise<UploadedFile> {
  return new UploadedFile(bareType(file.type), Buffer.from(await file.arrayBuffer()))
}

const BOUNDARY = /;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*(?:;|$)/i

/**
 * Limits the parts of a form before it is parsed: parsing blocks the main thread in proportion to the number
 * of parts and the size of their headers.
 */
function assertFewParts(bytes: Buffer, mark: string): void {
  if (!bytes.subarray(0, mark.length).equals(Buffer.from(mark))) throw refuse('', UNREADABLE)
  let parts = 0
  for (let at = 0; at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    const head = bytes.subarray(at + mark.length, at + MAX_PART_HEADERS)
    if (head.toString('latin1', 0, 2) !== '--' && !head.includes('\r\n\r\n')) {
      throw refuse('', UNREADABLE)
    }
    // The last boundary starts no part.
    if (parts > MAX_PARTS) throw refuse('', `Send at most ${MAX_PARTS} parts.`)
    parts += 1
  }
}

async function readParts(c: HttpContext): Promise<FormData> {
  const bytes = await readBytes(c)
  const boundary = BOUNDARY.exec(c.req.header('content-type') ?? '')?.[1]
  if (boundary === undefined) throw refuse('', UNREADABLE)
  assertFewParts(bytes, `--${boundary}`)
  // Parse with the same boundary that was counted, whatever else the header contains.
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  try {
    return await new Response(new Uint8Array(bytes), { headers }).formData()
  } catch {
    throw refuse('', UNREADABLE)
  }
}

async function readForm(c: HttpContext): Promise<Record<string, unknown>> {
  const form = await readParts(c)
  const fields = new Map<string, unknown>()
  for (const [name, value] of form) {
    if (fields.has(name)) throw refuse(name, 'Send this once.')
    fields.set(name, typeof value === 'string' ? value : await uploadedFile(value))
  }
  return Object.fromEntries(fields)
}

/** The body, in a kind the call accepts; null when there is none. Requires `limitFor` before it. */
export async function readSent(c: HttpContext, call: ProcedureCall): Promise<RestRequest['body']> {
  if (c.req.raw.body === null) return null
  const kind = kindOf(c)
  if (kind === 'form' && takes(call, kind)) return { kind, value: await readForm(c) }
  const text = await readText(c)
  // Some clients send a content type without a body.
  if (text === '') return null
  if (!takes(call, kind)) throw new AppError('unsupported_media_type')
  return { kind, value: kind === 'json' ? parseStrictJson(text) : text }
}
