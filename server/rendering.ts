import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { callTRPCProcedure } from '@trpc/server'
import type { Render, RenderRequest } from '#contract/base/server-rendering.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { appRouter } from './app-router.ts'
import type { Context } from './context.ts'

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

function isRenderer(built: unknown): built is { render: Render } {
  if (typeof built !== 'object' || built === null) return false
  return 'render' in built && typeof built.render === 'function'
}

/** The server renderer of the build; null when there is none, for example while Vite serves the pages. */
export async function loadRender({ clientDir }: Config): Promise<Render | null> {
  const file = pathToFileURL(join(clientDir, '..', 'server', 'entry-server.js'))
  try {
    const built: unknown = await import(file.href)
    return isRenderer(built) ? built.render : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Runs tRPC queries in this process as the context's viewer, with the same rate limits as over HTTP. */
export function queryAs(ctx: Context): RenderRequest['query'] {
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
