import { bodyLimit } from 'hono/body-limit'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { HttpContext, Middleware } from './request-context.ts'

/** Size limit of a JSON request, in bytes. */
export const JSON_LIMIT = 65_536

/** A client that disconnected half-way is not a defect of ours. */
async function readWhole<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_input')
  }
}

/** Refuses a body over `maxSize` bytes with the code `tooLarge`, without reading further. */
export function limitBody(maxSize: number, tooLarge: ErrorCode = 'body_too_large'): Middleware {
  const limited = bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError(tooLarge)
    },
  })
  return (c, next) => readWhole(limited(c, next))
}

/** The body as text; requires `limitBody` before it. */
export function readText(c: HttpContext): Promise<string> {
  return readWhole(c.req.text())
}

/** The body as bytes; requires `limitBody` before it. */
export async function readBytes(c: HttpContext): Promise<Buffer> {
  return Buffer.from(await readWhole(c.req.arrayBuffer()))
}

/** A content type without its parameters. */
export function bareType(type: string | null | undefined): string {
  return type?.split(';')[0]?.trim().toLowerCase() ?? ''
}
