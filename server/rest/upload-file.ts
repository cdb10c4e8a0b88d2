import * as z from 'zod/mini'
import { ImageAnswer } from '#contract/gallery-staff.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { auditDenial, toTrpcError } from '#server/trpc.ts'
import { assertType, doorAt, enterDoor } from '#server/uploads.ts'
import type { SentFile } from './sent-file.ts'

/** Takes an image of a form through one of the doors for files; its address. Fails as procedures do. */
export async function uploadImage(ctx: Context, path: string, file: SentFile): Promise<string> {
  const door = doorAt(path)
  try {
    const signedIn = enterDoor(ctx, door)
    assertType(door, file.type)
    if (file.bytes.length > door.max) throw new AppError(door.tooLarge)
    return z.parse(ImageAnswer, await door.take(signedIn, file.bytes)).image_url
  } catch (error) {
    await auditDenial(ctx, path, error)
    throw toTrpcError(error, { ctx, path })
  }
}
