import type * as z from 'zod/mini'
import { AppError } from '#server/kernel/errors.ts'

/** An id out of a path. What cannot be one is as little there as one that was never given out. */
export function foundId<S extends z.ZodMiniType<string>>(schema: S, text: string | undefined) {
  const { data } = schema.safeParse(text)
  if (data === undefined) throw new AppError('not_found')
  return data
}
