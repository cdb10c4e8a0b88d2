import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { restCalls } from '#server/rest/calls.ts'
import { anchorOf } from '#server/rest/docs/call-section.ts'
import { isRunnable } from '#server/rest/docs/curl.ts'
import { expect } from './fixtures.ts'
import { test } from './own-site.ts'

const run = promisify(execFile)

/** Pastes commands into a shell, as somebody who reads the page would; what they printed. */
async function paste(commands: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'apposite-shell-'))
  const { stdout } = await run('bash', ['-c', commands], { cwd, maxBuffer: 50_000_000 })
  return stdout
}

/** The commands of a part of the page, in order. */
async function commandsOf(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(`${selector} figure`, { hasText: /^(Shell|Example)/ })
    .locator('code')
    .allTextContents()
}

/** What every shell begins with. */
async function startOf(page: Page): Promise<string> {
  const [start = ''] = await commandsOf(page, '#guide-start')
  return start
}

test.describe.configure({ mode: 'serial', timeout: 120_000 })

test('with the page and curl alone somebody registers, books, pays and reads the history @desktop', async ({
  page,
}) => {
  await page.goto('/api/docs')
  const commands = await commandsOf(page, '#guide')
  expect(commands).toHaveLength(8)
  const said = await paste(commands.join('\n'))
  expect(said).toContain('"result":"paid"')
  expect(said).toContain('"status":"complete"')
  expect(said).toContain('"state":"confirmed"')
  expect(said).toContain('A cough that will not go away')
})

test('every example works as it stands @desktop', async ({ page }) => {
  await page.goto('/api/docs')
  const setup = [await startOf(page), ...(await commandsOf(page, '#examples'))]
  const examples: string[] = []
  for (const call of restCalls.filter(isRunnable)) {
    const [example = ''] = await commandsOf(page, `#${anchorOf(call)}`)
    examples.push(`echo; echo '== ${call.method} ${call.path}'\n${example}`)
  }
  const answers = (await paste([...setup, ...examples].join('\n'))).split('\n== ').slice(1)
  expect(answers).toHaveLength(examples.length)
  const failed = answers.filter(
    (answer) => answer.includes('"status":false') || !/[{[]"/.test(answer),
  )
  expect(failed).toEqual([])
})
