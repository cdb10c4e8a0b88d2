import { expect, test } from 'vitest'
import type { Viewer } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import {
  createCallerFactory,
  patientOrProviderProcedure,
  patientProcedure,
  providerProcedure,
  publicProcedure,
  router,
  signedInProcedure,
  staffProcedure,
} from './trpc.ts'

const viewers: Viewer[] = [
  { kind: 'visitor' },
  { kind: 'patient', id: 'pat_1' },
  { kind: 'provider', id: `prv_${'0'.repeat(26)}` },
  { kind: 'staff', id: 'stf_1', role: 'superuser' },
  { kind: 'staff', id: 'stf_2', role: 'author' },
]

const ALLOWED = 'let in'
const FORBIDDEN = 'forbidden'
const welcome = publicProcedure.query(() => ALLOWED)

/** What each viewer gets from a procedure: its response, or the code of the refusal. */
async function outcomesByViewer(procedure: typeof welcome): Promise<string[]> {
  await using testApp = await makeTestApp()
  const makeCaller = createCallerFactory(router({ probe: procedure }))
  const { session } = signedInAs(testApp.services, { no: 1, id: `usr_${'0'.repeat(26)}` })
  const asked = viewers.map((viewer) => {
    const ctx = testApp.context(viewer)
    return makeCaller(viewer.kind === 'visitor' ? ctx : { ...ctx, session })
      .probe()
      .catch((error: unknown) => codeOf(error))
  })
  return await Promise.all(asked)
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof AppError ? cause.code : 'no code'
}

test.each([
  ['public', welcome, [ALLOWED, ALLOWED, ALLOWED, ALLOWED, ALLOWED]],
  [
    'signed in',
    signedInProcedure.query(() => ALLOWED),
    ['sign_in_required', ALLOWED, ALLOWED, ALLOWED, ALLOWED],
  ],
  [
    'patient',
    patientProcedure.query(() => ALLOWED),
    ['sign_in_required', ALLOWED, 'patients_only', 'patients_only', 'patients_only'],
  ],
  [
    'provider',
    providerProcedure.query(() => ALLOWED),
    ['sign_in_required', FORBIDDEN, ALLOWED, FORBIDDEN, FORBIDDEN],
  ],
  [
    'patient or provider',
    patientOrProviderProcedure.query(() => ALLOWED),
    ['sign_in_required', ALLOWED, ALLOWED, FORBIDDEN, FORBIDDEN],
  ],
  [
    'staff',
    staffProcedure().query(() => ALLOWED),
    ['sign_in_required', FORBIDDEN, FORBIDDEN, ALLOWED, ALLOWED],
  ],
  [
    'staff who verify',
    staffProcedure('verify').query(() => ALLOWED),
    ['sign_in_required', 'admins_only', 'admins_only', ALLOWED, 'admins_only'],
  ],
])('the procedure for "%s" admits whom it should', async (_name, procedure, expected) => {
  expect(await outcomesByViewer(procedure)).toEqual(expected)
})

test('a procedure that declares nobody is refused to everybody', async () => {
  const outcomes = await outcomesByViewer(publicProcedure.meta({ may: [] }).query(() => ALLOWED))
  const [visitor, ...others] = outcomes
  expect(visitor).toBe('sign_in_required')
  expect(new Set(others)).toEqual(new Set([FORBIDDEN]))
})

test('a locked or full database is "busy", with the cause in the log only', async () => {
  await using testApp = await makeTestApp()
  for (const code of ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_FSYNC', '40P01']) {
    const failing = publicProcedure.query(() => {
      throw Object.assign(new Error('database or disk: /var/lib/secret'), { code })
    })
    const makeCaller = createCallerFactory(router({ search: router({ suggest: failing }) }))
    const asking = makeCaller(testApp.context()).search.suggest()
    await expect(asking).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'We are very busy right now. Try again in a few seconds.',
    })
  }
  expect(JSON.stringify(testApp.logged)).toContain('/var/lib/secret')
})
