import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { restCalls } from '#server/rest/calls.ts'
import { isRunnable } from '#server/rest/examples.ts'
import { mailBody, makePerson, openMail, sectionOf, signIn } from './harness/accounts.ts'
import { createAccount } from './harness/booking.ts'
import { checkScreen, expect, ownSiteTest, test } from './harness/fixtures.ts'

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

test('the documentation fits any width, and a path shows how to call it @desktop', async ({
  page,
}) => {
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { name: '4. Search' })).toBeVisible()
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    expect(await overflow()).toBe(0)
  }
  await page.getByRole('button', { name: /Delete a bank account/ }).click()
  await expect(page.getByText('curl -s -X DELETE')).toBeVisible()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await expect(page.getByRole('button', { name: 'Execute' })).toBeVisible()
})

test('a user creates a token, uses it from a script and revokes it, and it stops working @once', async ({
  page,
}) => {
  const ann = makePerson('patient')
  await createAccount(page, ann)
  await signIn(page, ann)
  await page.goto('/userProfile#tokens')
  const part = sectionOf(page, 'Access tokens')
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('heading') })
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await expect(part).toContainText('You have no access tokens.')

  await part.getByRole('button', { name: 'Create a token' }).click()
  await press('Create token')
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    'Give the token a name, such as what uses it.',
    'Choose at least one thing the token may do.',
  ])
  await checkScreen(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Kitchen calendar')
  await dialog.getByRole('checkbox', { name: 'See your name, address and profile' }).check()
  await dialog.getByRole('combobox').selectOption('30')
  await press('Create token')
  const secret = dialog.getByLabel('Access token', { exact: true })
  await expect(secret).toHaveText(/^apo_[\w-]{43}$/)
  await checkScreen(page)
  const token = (await secret.textContent()) ?? ''
  await press('I’ve saved it')
  await expect(part.getByRole('listitem')).toContainText('Never used')
  await expect(part.getByRole('listitem')).toContainText('See your name, address and profile.')

  const { origin } = new URL(page.url())
  const asScript = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${origin}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const me = await asScript('/trpc/auth.me')
  expect([me.status, me.text]).toEqual([200, expect.stringContaining(ann.email)])
  const visits = await asScript('/trpc/booking.visits?input={"when":"coming"}')
  expect([visits.status, visits.text]).toEqual([403, expect.stringContaining('visits:read')])
  await page.reload()
  await expect(part.getByRole('listitem')).toContainText('Last used')

  await part.getByRole('button', { name: 'Revoke Kitchen calendar' }).click()
  await press('Revoke')
  await expect(part).toContainText('You have no access tokens.')
  const refused = await asScript('/trpc/auth.me')
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('This access token no longer works.'),
  ])

  await openMail(page, ann.email, 'An access token was created')
  await expect(mailBody(page).getByText('Kitchen calendar')).toBeVisible()
})

ownSiteTest.describe('examples', () => {
  ownSiteTest.describe.configure({ mode: 'serial', timeout: 120_000 })

  ownSiteTest(
    'the guide’s curl commands register, book, pay and read the history @desktop',
    async ({ page }) => {
      const { info } = await documentOf(page)
      const commands = commandsIn(chapter(info.description, 'From nothing to a visit'))
      expect(commands).toHaveLength(8)
      const said = await paste(commands.join('\n'))
      expect(said).toContain('"result":"paid"')
      expect(said).toContain('"status":"complete"')
      expect(said).toContain('"state":"confirmed"')
      expect(said).toContain('A cough that will not go away')
    },
  )

  ownSiteTest('the ten most wanted procedures work as written @desktop', async ({ page }) => {
    const { info } = await documentOf(page)
    const [start = ''] = commandsIn(info.description)
    const variables = commandsIn(chapter(info.description, 'Variables of the examples'))
    const commands = commandsIn(chapter(info.description, 'Procedures'))
    const answers = (await paste([start, ...variables, ...commands].join('\n'))).trim().split('\n')
    expect(answers).toHaveLength(10)
    expect(answers.filter((answer) => !answer.startsWith('{"result":{"data":'))).toEqual([])
  })

  ownSiteTest('every example works as written @desktop', async ({ page }) => {
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
})
