import { bodyLimit } from 'hono/body-limit'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { HttpContext, Middleware } from './request-context.ts'

/** Bytes of a JSON request. */
export const JSON_LIMIT = 65_536

/** A sender who hung up half-way is not a defect of ours. */
async function whole<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_input')
  }
}

/** Refuses a body of more than `maxSize` bytes with `tooLarge`, before more than that is read. */
export function limitBody(maxSize: number, tooLarge: ErrorCode = 'body_too_large'): Middleware {
  const limited = bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError(tooLarge)
    },
  })
  return (c, next) => whole(limited(c, next))
}

/** The body as text, behind `limitBody`. */
export function readText(c: HttpContext): Promise<string> {
  return whole(c.req.text())
}

/** The body as bytes, behind `limitBody`. */
export async function readBytes(c: HttpContext): Promise<Buffer> {
  return Buffer.from(await whole(c.req.arrayBuffer()))
}

/** The content type of a body without what may follow it. */
export function bareType(type: string | null | undefined): string {
  return type?.split(';')[0]?.trim().toLowerCase() ?? ''
}
