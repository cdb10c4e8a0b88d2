import { expect, test } from 'vitest'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { lastMailTo, tokenIn } from '#tests/harness/letters.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeWorld, type World } from '#tests/harness/world.ts'

const NEW = 'a boat on the river'

function forget(world: World, email: string) {
  return new Browser(world).act('auth.forgotPassword', { email, userType: 'patient' })
}

async function resetToken(world: World, email: string): Promise<string> {
  await forget(world, email)
  return tokenIn(await lastMailTo(world, email), 'reset-password')
}

function reset(world: World, token: string, password = NEW, again = password) {
  return new Browser(world).act('auth.resetPassword', {
    token,
    new_password: password,
    confirm_password: again,
  })
}

test('a new password is set by the mailed link, and every device falls out', async () => {
  await using world = await makeWorld()
  const account = await makeAccount(world)
  const desk = new Browser(world)
  await desk.signIn(account)
  const token = await resetToken(world, account.email)
  expect((await reset(world, token)).data).toEqual({ status: true, user_type: 'patient' })
  expect((await desk.ask('auth.sessions')).status).toBe(401)
  expect((await desk.act('auth.refresh')).code).toBe('session_ended')
  expect((await desk.signIn(account, { password: PASSWORD })).code).toBe('credentials_wrong')
  expect((await desk.signIn(account, { password: NEW })).status).toBe(200)
  expect((await lastMailTo(world, account.email)).subject).toBe('Your password was changed')
})

test('a used, an old and an unknown link do nothing', async () => {
  await using world = await makeWorld()
  const account = await makeAccount(world)
  const old = await resetToken(world, account.email)
  world.advance(30 * 60_000)
  const used = await resetToken(world, account.email)
  expect((await reset(world, used)).status).toBe(200)
  for (const token of [old, used, 'A'.repeat(43), 'short', '']) {
    const { status, message } = await reset(world, token, 'something else entirely')
    expect([status, message]).toEqual([400, 'This reset link has expired or was already used.'])
    const asked = await new Browser(world).act('auth.checkResetLink', { token })
    expect([asked.status, asked.message]).toEqual([status, message])
  }
  expect((await new Browser(world).signIn(account, { password: NEW })).status).toBe(200)
})

test('one’s own address is no password', async () => {
  await using world = await makeWorld()
  const account = await makeAccount(world)
  const token = await resetToken(world, account.email)
  const { status, issues } = await reset(world, token, account.email.toUpperCase())
  const message = 'Choose a password that is not your email address.'
  expect([status, issues]).toEqual([400, [{ path: 'new_password', message }]])
})

test('asking whether a link works uses nothing up', async () => {
  await using world = await makeWorld()
  const account = await makeAccount(world)
  const token = await resetToken(world, account.email)
  for (const _time of [1, 2]) {
    const { data } = await new Browser(world).act('auth.checkResetLink', { token })
    expect(data).toEqual({ status: true })
  }
  expect((await reset(world, token)).status).toBe(200)
})

test('passwords that differ or are common are refused, and the link still works', async () => {
  await using world = await makeWorld()
  const account = await makeAccount(world)
  const token = await resetToken(world, account.email)
  const differing = await reset(world, token, NEW, 'a boat on the sea')
  expect([differing.status, differing.issues]).toEqual([
    400,
    [{ path: 'confirm_password', message: 'Passwords do not match.' }],
  ])
  expect((await reset(world, token, 'password1')).issues[0]?.path).toBe('new_password')
  expect((await new Browser(world).signIn(account)).status).toBe(200)
  expect((await reset(world, token)).status).toBe(200)
})

describeEngines('resetting', (makeDatabase) => {
  test('ten at once with one link sets one password', async () => {
    const world = await makeWorld({ database: await makeDatabase() })
    const account = await makeAccount(world)
    const token = await resetToken(world, account.email)
    const asked = Array.from({ length: 10 }, (_, at) =>
      reset(world, token, `boat number ${at} sails`),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})

test('asking says nothing about whether there is an account, and mails three times an hour', async () => {
  await using world = await makeWorld()
  const account = await makeAccount(world)
  const unknown = await forget(world, 'nobody@mail.example')
  for (let count = 0; count < 5; count += 1) {
    const known = await forget(world, account.email)
    expect([known.status, known.data]).toEqual([unknown.status, unknown.data])
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()])
  }
  await world.drainOutbox()
  expect(world.mails.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => account.email))
})

test('the link leads to the configured address, whatever Host the request named', async () => {
  await using world = await makeWorld({
    config: { demo: false, publicUrl: 'https://apposite.example' },
  })
  const account = await makeAccount(world)
  const request = new Request('http://evil.example/trpc/auth.forgotPassword', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    },
    body: JSON.stringify({ email: account.email, userType: 'patient' }),
  })
  expect((await world.app.fetch(request)).status).toBe(200)
  const mail = await lastMailTo(world, account.email)
  expect(mail.text).toContain('https://apposite.example/reset-password/')
  expect(mail.text + mail.html).not.toContain('evil')
})

test('neither tables nor logs hold the token, and a sent mail is kept without it', async () => {
  const sent: string[] = []
  await using world = await makeWorld({
    mail: {
      send: (mail) => {
        sent.push(mail.text)
        return Promise.resolve('sent')
      },
    },
  })
  const account = await makeAccount(world)
  await forget(world, account.email)
  await world.drainOutbox()
  const token = /reset-password\/([\w-]{43})/.exec(sent[0] ?? '')?.[1] ?? ''
  expect(token).toHaveLength(43)
  const tables = await Promise.all(
    (['links', 'outbox', 'mails', 'audit', 'attempts'] as const).map((table) =>
      world.database.db.selectFrom(table).selectAll().execute(),
    ),
  )
  expect(JSON.stringify(tables)).not.toContain(token)
  expect(JSON.stringify(world.logged)).not.toContain(token)
  expect((await reset(world, token)).status).toBe(200)
})
