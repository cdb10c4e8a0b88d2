import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Me } from '#contract/auth.ts'
import { openDatabase } from '#db/engine.ts'
import { drawWithPlaces } from '#tests/harness/servers/empty-database.ts'
import { startSandbox } from '#tests/harness/servers/sandbox.ts'
import {
  freePort,
  realEnvironment,
  ServerProcess,
  waitUntil,
} from '#tests/harness/servers/server-process.ts'
import { startSmtpServer } from '#tests/harness/servers/smtp-server.ts'

const OWN = 'a boat on the river'

const Answer = z.object({ me: Me, tokens: z.object({ access_token: z.string() }) })

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-first-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The token in the URL that the server printed to its terminal. */
async function tokenOf(server: ServerProcess): Promise<string> {
  const link = /https:\/\/care\.example\/admin-start#([A-Za-z0-9_-]{43})\n/
  await waitUntil(() => link.test(server.output))
  return link.exec(server.output)?.[1] ?? ''
}

function begin(server: ServerProcess, token: string, email = 'Ada@Care.example') {
  const passwords = { new_password: OWN, confirm_password: OWN }
  return server.act('superUsers.addFirst', { token, email, ...passwords })
}

test('a real installation has no staff and no password: its first superuser signs up by a printed link', async () => {
  await using folder = await makeFolder()
  await using sandbox = await startSandbox({ now: Date.now })
  await using post = await startSmtpServer()
  await writeFile(join(folder.path, 'apposite.db'), await drawWithPlaces())
  const env = {
    ...(await realEnvironment(sandbox, folder.path)),
    SMTP_URL: post.url,
    LOG_LEVEL: 'trace',
  }
  await using server = new ServerProcess(env, await freePort())
  await server.start()
  const first = await tokenOf(server)
  await expect(begin(server, 'A'.repeat(43))).rejects.toThrow('start_link_invalid')
  await server.kill()
  await server.start()
  const second = await tokenOf(server)
  expect(second).not.toBe(first)
  // Written to the terminal only, and kept as a keyed hash.
  expect(server.output.split('\n').filter((line) => line.includes(second))).toEqual([
    `  https://care.example/admin-start#${second}`,
  ])
  const database = openDatabase(`sqlite:${join(folder.path, 'apposite.db')}`)
  const kept = await database.db.selectFrom('start_links').selectAll().execute()
  expect(kept).toHaveLength(2)
  expect(JSON.stringify(kept)).not.toContain(second)
  for (const { created_at, expires_at } of kept) expect(expires_at - created_at).toBe(86_400_000)

  const tries = await Promise.allSettled([
    begin(server, first),
    begin(server, second),
    begin(server, second, 'eve@care.example'),
  ])
  const [won, ...others] = tries.filter(({ status }) => status === 'fulfilled')
  expect(others).toEqual([])
  if (won?.status !== 'fulfilled') throw new Error('There is no first superuser.')
  const { me, tokens } = Answer.parse(won.value)
  expect(me).toMatchObject({ kind: 'staff', role: 'superuser', must_change_password: false })
  // The second factor comes next; until then everything else is refused.
  expect(me.must_set_second_factor).toBe(true)
  await expect(server.ask('superUsers.list', {}, tokens.access_token)).rejects.toThrow(
    'second_factor_setup_required',
  )
  await server.act('auth.beginSecondFactor', {}, tokens.access_token)
  await expect(begin(server, first)).rejects.toThrow('start_link_invalid')
  const staff = await database.db.selectFrom('accounts').select(['email', 'role']).execute()
  expect(staff).toHaveLength(1)
  const audit = await database.db.selectFrom('audit').select('action').execute()
  expect(audit.map(({ action }) => action)).toContain('staff.began')
  await server.kill()
  await server.start()
  await waitUntil(() => server.output.includes('Serving'))
  expect(server.output).not.toContain('admin-start')
  await database.close()
})
