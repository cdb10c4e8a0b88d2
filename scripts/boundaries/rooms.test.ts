import { expect, test } from 'vitest'
import { makeTree } from '#scripts/test/run-script.ts'
import { checkRooms } from './rooms.ts'

const HOUSE = {
  'contract/base/region.ts': '',
  'contract/booking.ts': '',
  'contract/booking-visits.ts': '',
  'contract/bank-accounts.ts': '',
  'server/kernel/anything-goes.ts': '',
  'server/app-router.ts': `import { router } from './trpc.ts'
    export const appRouter = router({ booking: bookingRouter, bankAccounts: bankAccountsRouter })`,
  'server/booking/router.ts': '',
  'server/booking/store.ts': '',
  'server/booking/rules.ts': '',
  'server/booking/refund-rules.ts': '',
  'server/booking/hold.ts': 'export async function holdSlot(ctx, input) {}',
  'server/booking/hold.test.ts': '',
  'server/bank-accounts/router.ts': '',
}

function problemsWith(extra: Record<string, string>): string[] {
  using tree = makeTree({ ...HOUSE, ...extra })
  return checkRooms(tree.root).problems
}

test('a tree whose rooms, routers and contracts agree has no problems', () => {
  using tree = makeTree(HOUSE)
  const { rooms, files, problems } = checkRooms(tree.root)
  expect(rooms.toSorted()).toEqual(['bank-accounts', 'booking'])
  expect(files).toBe(7)
  expect(problems).toEqual([])
})

test('a check that finds no rooms fails', () => {
  using tree = makeTree({ 'contract/base/region.ts': '' })
  expect(checkRooms(tree.root).problems).toEqual(['No rooms were found at all.'])
})

test.each([
  [
    'a room without a router',
    'server/search/router.ts',
    'server/ has search, but server/app-router.ts names no such name.',
  ],
  [
    'a contract without a room',
    'contract/refunds.ts',
    'contract/ has refunds, but server/ has no such name.',
  ],
  ['a vague name', 'server/booking/utils.ts', 'server/booking/utils.ts: a vague name'],
  [
    'a name in camel case',
    'server/booking/holdSlot.ts',
    'server/booking/holdSlot.ts: not a kebab-case .ts file.',
  ],
  [
    'a folder in a room',
    'server/booking/deep/deeper/hold.ts',
    'server/booking/deep/deeper: a subfolder of a room must not have subfolders.',
  ],
])('%s is reported', (_what, path, problem) => {
  expect(problemsWith({ [path]: '' }).join('\n')).toContain(problem)
})

test('a router without a room is reported', () => {
  const appRouter = 'export const appRouter = router({ booking, bankAccounts, refunds })'
  expect(problemsWith({ 'server/app-router.ts': appRouter })).toEqual([
    'server/app-router.ts names refunds, but server/ has no such name.',
  ])
})

test.each([
  ['only a function of another name', 'export function holdSlot(ctx, input) {}'],
  ['nothing exported', 'function cancelBooking(ctx, input) {}'],
  ['nothing but a type', 'export type CancelInput = { id: string }'],
])('a file cancel.ts with %s is reported', (_what, source) => {
  expect(problemsWith({ 'server/booking/cancel.ts': source })).toHaveLength(1)
})

test('a file may be named after any function it exports', () => {
  const source = 'export function circleAround(centre, miles) {}'
  expect(problemsWith({ 'server/booking/circle.ts': source })).toEqual([])
})
