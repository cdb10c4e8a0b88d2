import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { callTRPCProcedure } from '@trpc/server'
import type { Paint, PaintRequest } from '#contract/first-paint.ts'
import { appRouter } from './app-router.ts'
import type { Context } from './context.ts'
import type { Config } from './kernel/config.ts'

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function isDrawing(built: unknown): built is { paint: Paint } {
  if (typeof built !== 'object' || built === null) return false
  return 'paint' in built && typeof built.paint === 'function'
}

/** The build's drawing of pages; null where there is none, as while Vite serves them. */
export async function loadPaint({ clientDir }: Config): Promise<Paint | null> {
  const file = pathToFileURL(join(clientDir, '..', 'server', 'entry-server.js'))
  try {
    const built: unknown = await import(file.href)
    return isDrawing(built) ? built.paint : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Queries of tRPC in this process, as whoever the context is of, with the limits of HTTP. */
export function askAs(ctx: Context): PaintRequest['ask'] {
  return (path, input) =>
    callTRPCProcedure({
      router: appRouter,
      path,
      getRawInput: () => Promise.resolve(input),
      ctx,
      type: 'query',
      signal: undefined,
      batchIndex: 0,
    })
}
