import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { ImageResponse } from '#contract/gallery-staff.ts'
import { audited } from '#server/admission.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { admitUpload, assertType, uploadAt } from '#server/uploads.ts'

/** First bytes of the accepted file types. */
const MAGIC_BYTES: [type: string, begins: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
]

/** The declared type or, when the client does not know it, the type detected from the first bytes. */
function typeOf(declared: string, bytes: Buffer): string {
  if (declared !== '' && declared !== 'application/octet-stream') return declared
  const start = bytes.toString('latin1', 0, 12)
  return MAGIC_BYTES.find(([, begins]) => begins.test(start))?.[0] ?? declared
}

/** A file from a form. Its name is dropped, because we never use it. */
export class UploadedFile {
  readonly type: string
  readonly bytes: Buffer

  constructor(type: string, bytes: Buffer) {
    this.type = typeOf(type, bytes)
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
  .check(z.meta({ type: 'string', format: 'binary', description: 'A JPEG, PNG or WebP image.' }))

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
