import * as z from 'zod/mini'
import { ImageAnswer } from '#contract/gallery-staff.ts'
import { audited } from '#server/admission.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { admitUpload, assertType, uploadAt } from '#server/uploads.ts'
import type { SentFile } from './sent-file.ts'

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
