import { expect, test } from 'vitest'
import { leavesState, statefulLiterals } from '#tests/harness/session-state.ts'
import { linesMatching, read, sourceFiles } from './repository.ts'

const sources = sourceFiles().filter(
  (path) => /^(db|demo|migrations|scripts|server)\//.test(path) && !path.endsWith('.test.ts'),
)

test.each([
  "set time zone 'UTC'",
  'SET statement_timeout = 5',
  'set session characteristics as transaction read only',
  "select set_config('app.user', $1, false)",
  'select pg_advisory_lock(1)',
  'select pg_try_advisory_lock_shared(1)',
  'listen changes',
  'create temporary table mine (no int)',
  'prepare mine as select 1',
  'discard all',
  'reset search_path',
  'declare mine cursor with hold for select 1',
  "select currval('bookings_no_seq')",
])('%s would stay with its connection', (statement) => {
  expect(leavesState(statement)).toBe(true)
  expect(statefulLiterals(`sql\`\n  ${statement}\``)).toHaveLength(1)
})

test.each([
  'set local lock_timeout = 5',
  'set transaction isolation level repeatable read',
  'set constraints all deferred',
  'select pg_advisory_xact_lock(1)',
  'update slots set free = 0',
  'create table temperatures (no int)',
])('%s ends with its transaction', (statement) => {
  expect([leavesState(statement), statefulLiterals(`sql\`${statement}\``)]).toEqual([false, []])
})

test('no statement leaves anything behind in a connection to Postgres', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(
    sources.flatMap((path) => statefulLiterals(read(path)).map((text) => `${path}: ${text}`)),
  ).toEqual([])
})

test('the driver is reached in one place, which sets nothing for a session', () => {
  const users = sources.filter((path) => /from 'pg(?:-\w+)?'/.test(read(path)))
  expect(users).toEqual(['db/postgres.ts'])
  const settings = /^\s+(?:options|name|\w+_timeout):/
  expect(linesMatching(users, settings)).toEqual([])
})

test('whoever migrates holds the lock of a start, since there is no other', () => {
  const migrating = sources.filter((path) => /\bmigrateToLatest\(/.test(read(path)))
  expect(migrating.length).toBeGreaterThan(2)
  const unlocked = migrating.filter((path) => !/\bwithStartLock\(/.test(read(path)))
  expect(unlocked).toEqual(['db/migrate.ts'])
})
