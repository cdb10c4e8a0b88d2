import { hash } from 'node:crypto'
import * as z from 'zod/mini'

/** A file out of a form. Its name is not worth keeping: nothing of ours is ever called by it. */
export class SentFile {
  readonly type: string
  readonly bytes: Buffer

  constructor(type: string, bytes: Buffer) {
    this.type = type
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
