import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeLog } from './log.ts'

function capture() {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, log: makeLog({ level: 'info', style: 'json', destination }) }
}

test('personal fields never reach the log, one level deep or two', () => {
  const { lines, log } = capture()
  log.info(
    {
      email: 'canary@example.com',
      input: { message: 'canary', first_name: 'canary', cookie: 'canary' },
      path: 'messages.contact',
    },
    'said',
  )
  expect(lines.join('')).not.toContain('canary')
  expect(lines.join('')).toContain('messages.contact')
})

test('an error is logged with its kind, code, stack and cause', () => {
  const { lines, log } = capture()
  const cause = Object.assign(new Error('no space'), { code: 'SQLITE_FULL' })
  log.error({ err: new Error('writing failed', { cause }) }, 'a call failed')
  const written: unknown = JSON.parse(lines.join(''))
  expect(lines.join('')).toContain('log.test')
  expect(written).toMatchObject({
    msg: 'a call failed',
    err: {
      kind: 'Error',
      text: 'writing failed',
      cause: { text: 'no space', errorCode: 'SQLITE_FULL' },
    },
  })
})

test('a line has the time as ISO text, and no host or process id', () => {
  const { lines, log } = capture()
  log.info('ready')
  expect(lines.join('')).toMatch(
    /^\{"level":30,"time":"\d{4}-\d\d-\d\dT[\d:.]+Z","msg":"ready"\}\n$/,
  )
})

test('a line of a request has its trace id', () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const at: { traceId?: string } = {}
  const log = makeLog({ level: 'info', style: 'json', destination, traceId: () => at.traceId })
  log.info('outside of all')
  at.traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  log.info('in a request')
  expect(lines.map((line) => z.looseObject({}).parse(JSON.parse(line))['trace_id'])).toEqual([
    undefined,
    at.traceId,
  ])
})
