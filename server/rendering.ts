import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { callTRPCProcedure } from '@trpc/server'
import * as z from 'zod/mini'
import type { BuildManifest, Render, RenderRequest } from '#contract/base/server-rendering.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { appRouter } from './app-router.ts'
import type { Context } from './context.ts'

/** What the build has made for the server: the renderer of pages, and the list of the files they need. */
export type Build = { render: Render; manifest: BuildManifest }

const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.optional(z.array(z.string())),
    css: z.optional(z.array(z.string())),
  }),
)

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ENOENT'
}

function isRenderer(built: unknown): built is { render: Render } {
  if (typeof built !== 'object' || built === null) return false
  return 'render' in built && typeof built.render === 'function'
}

/** The build; null when there is none, for example while Vite serves the pages. */
export async function loadBuild({ clientDir }: Config): Promise<Build | null> {
  const folder = join(clientDir, '..')
  try {
    const json = await readFile(join(folder, 'manifest.json'), 'utf8')
    const file = pathToFileURL(join(folder, 'server', 'entry-server.js'))
    const built: unknown = await import(file.href)
    if (!isRenderer(built)) return null
    return { render: built.render, manifest: Manifest.parse(JSON.parse(json)) }
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
