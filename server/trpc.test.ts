import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorCode } from '#contract/base/errors.ts'
import type { Viewer } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { trpcCode } from './failures.ts'
import {
  createCallerFactory,
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

/** Calls the procedure type under a path open to everybody, so that its own check alone decides. */
async function outcomesByViewer(procedure: typeof welcome): Promise<string[]> {
  await using testApp = await makeTestApp()
  const makeCaller = createCallerFactory(router({ search: router({ suggest: procedure }) }))
  const asked = viewers.map((viewer) =>
    makeCaller(testApp.context(viewer))
      .search.suggest()
      .catch((error: unknown) => codeOf(error)),
  )
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
    ['sign_in_required', ALLOWED, FORBIDDEN, FORBIDDEN, FORBIDDEN],
  ],
  [
    'provider',
    providerProcedure.query(() => ALLOWED),
    ['sign_in_required', FORBIDDEN, ALLOWED, FORBIDDEN, FORBIDDEN],
  ],
  [
    'staff',
    staffProcedure().query(() => ALLOWED),
    ['sign_in_required', FORBIDDEN, FORBIDDEN, ALLOWED, ALLOWED],
  ],
  [
    'staff who verify',
    staffProcedure('verify').query(() => ALLOWED),
    ['sign_in_required', FORBIDDEN, FORBIDDEN, ALLOWED, 'admins_only'],
  ],
])('the rung "%s" lets in whom it should', async (_name, rung, expected) => {
  expect(await outcomesByViewer(rung)).toEqual(expected)
})

const Named = z.object({ name: z.string().check(z.maxLength(9, { error: 'fee_invalid' })) })

test.each([
  ['public', publicProcedure.input(Named).query(() => ALLOWED), viewers[0]],
  ['signed in', signedInProcedure.input(Named).query(() => ALLOWED), viewers[1]],
  ['patient', patientProcedure.input(Named).query(() => ALLOWED), viewers[1]],
  ['provider', providerProcedure.input(Named).query(() => ALLOWED), viewers[2]],
  [
    'staff',
    staffProcedure()
      .input(Named)
      .query(() => ALLOWED),
    viewers[3],
  ],
])('no %s procedure takes a NUL, and its schema speaks first', async (_name, procedure, viewer) => {
  await using testApp = await makeTestApp()
  const makeCaller = createCallerFactory(router({ search: router({ suggest: procedure }) }))
  const { suggest } = makeCaller(testApp.context(viewer)).search
  expect(await suggest({ name: 'Ann' })).toBe(ALLOWED)
  await expect(suggest({ name: 'A\0' })).rejects.toSatisfy((e) => codeOf(e) === 'invalid_input')
  const long = suggest({ name: 'too long\0for it' })
  await expect(long).rejects.toSatisfy((e) => codeOf(e) === 'fee_invalid')
})

test('a procedure without a row in the access table is refused to everybody', async () => {
  await using testApp = await makeTestApp()
  const probe = router({ search: router({ forgotten: publicProcedure.query(() => 'let in') }) })
  const makeCaller = createCallerFactory(probe)
  for (const viewer of viewers) {
    const asking = makeCaller(testApp.context(viewer)).search.forgotten()
    await expect(asking).rejects.toSatisfy((error) => codeOf(error) === 'forbidden')
  }
})

test('every code has a transport status', () => {
  expect(Object.keys(trpcCode).toSorted()).toEqual(ErrorCode.options.toSorted())
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
