import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { ImageAnswer } from '#contract/gallery-staff.ts'
import { audited } from '#server/admission.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { admitUpload, assertType, uploadAt } from '#server/uploads.ts'

/** How files of the types we take begin. */
const BEGINNINGS: [type: string, begins: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
]

/** Programs that know no type of a file say so; then its first bytes say it. */
function typeOf(told: string, bytes: Buffer): string {
  if (told !== '' && told !== 'application/octet-stream') return told
  const start = bytes.toString('latin1', 0, 12)
  return BEGINNINGS.find(([, begins]) => begins.test(start))?.[0] ?? told
}

/** A file out of a form. Its name is not worth keeping: nothing of ours is ever called by it. */
export class SentFile {
  readonly type: string
  readonly bytes: Buffer

  constructor(type: string, bytes: Buffer) {
    this.type = typeOf(type, bytes)
    this.bytes = bytes
  }

  /** What an `Idempotency-Key` compares. */
  toJSON(): { type: string; digest: string } {
    return { type: this.type, digest: hash('sha256', this.bytes, 'base64url') }
  }
}

/** A picture in a form. */
export const Picture = z
  .instanceof(SentFile, { error: 'image_type' })
  .check(z.meta({ type: 'string', format: 'binary', description: 'A JPEG, PNG or WebP image.' }))

/** Takes an image of a form as an upload endpoint does; its address. Fails as procedures do. */
export function uploadImage(ctx: Context, path: string, file: SentFile): Promise<string> {
  const upload = uploadAt(path)
  return audited(ctx, path, async () => {
    const signedIn = admitUpload(ctx, upload)
    assertType(upload, file.type)
    if (file.bytes.length > upload.max) throw new AppError(upload.tooLarge)
    return z.parse(ImageAnswer, await upload.take(signedIn, file.bytes)).image_url
  })
}
