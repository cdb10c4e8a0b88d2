import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { restCalls } from '#server/rest/calls.ts'
import { isRunnable } from '#server/rest/examples.ts'
import { expect, ownSiteTest as test } from './fixtures.ts'

const run = promisify(execFile)

/** Runs commands in a shell, as a reader of the page would; returns their output. */
async function paste(commands: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'apposite-shell-'))
  try {
    return (await run('bash', ['-c', commands], { cwd, maxBuffer: 50_000_000 })).stdout
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const Document = z.object({
  info: z.object({ description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.object({ description: z.string() }))),
})

/** The OpenAPI document that `/api/docs` shows. */
async function documentOf(page: Page): Promise<z.output<typeof Document>> {
  return Document.parse(await (await page.request.get('/openapi.json')).json())
}

/** The commands in a text, in order. */
function commandsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands)
}

/** A section of the guide. */
function chapter(guide: string, title: string): string {
  return guide.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? ''
}

test.describe.configure({ mode: 'serial', timeout: 120_000 })

test('the guide’s curl commands register, book, pay and read the history @desktop', async ({
  page,
}) => {
  const { info } = await documentOf(page)
  const commands = commandsIn(chapter(info.description, 'From nothing to a visit'))
  expect(commands).toHaveLength(8)
  const said = await paste(commands.join('\n'))
  expect(said).toContain('"result":"paid"')
  expect(said).toContain('"status":"complete"')
  expect(said).toContain('"state":"confirmed"')
  expect(said).toContain('A cough that will not go away')
})

test('every example works as written @desktop', async ({ page }) => {
  const { info, paths } = await documentOf(page)
  const [start = ''] = commandsIn(info.description)
  const variables = commandsIn(chapter(info.description, 'Variables of the examples'))
  const setup = [start, ...variables]
  const examples: string[] = []
  for (const call of restCalls.filter(isRunnable)) {
    const { description = '' } = paths[call.path]?.[call.method.toLowerCase()] ?? {}
    const [example = ''] = commandsIn(description)
    examples.push(`echo; echo '== ${call.method} ${call.path}'\n${example}`)
  }
  const answers = (await paste([...setup, ...examples].join('\n'))).split('\n== ').slice(1)
  expect(answers).toHaveLength(examples.length)
  const failed = answers.filter(
    (answer) => answer.includes('"status":false') || !/[{[]"/.test(answer),
  )
  expect(failed).toEqual([])
})
