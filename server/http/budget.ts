import { consume, type LimitName } from '#server/kernel/limits/rate-limit.ts'
import type { Middleware } from './request-context.ts'

/**
 * Counts every request of a route against a rate limit of the caller's network. Procedures and uploads are
 * counted on admission instead, one by one, by their row of the access matrix.
 */
export function budget(limit: LimitName): Middleware {
  return async (c, next) => {
    consume(c.var.ctx, limit)
    await next()
  }
}
