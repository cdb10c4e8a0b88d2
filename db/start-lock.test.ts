import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { withStartLock } from './start-lock.ts'

async function withUrl(engine: string, work: (url: string) => Promise<void>): Promise<void> {
  if (engine === 'postgres') {
    await work(`${inject('postgresUrl')}/postgres`)
    return
  }
  const folder = await mkdtemp(join(tmpdir(), 'apposite-lock-'))
  await work(`sqlite:${join(folder, 'a.db')}`)
  await rm(folder, { recursive: true, force: true })
}

test.each(['sqlite', 'postgres'])('three starts at once on %s go one after the other', (engine) =>
  withUrl(engine, async (url) => {
    const steps: string[] = []
    const start = (name: string) =>
      withStartLock(url, async () => {
        steps.push(`${name} in`)
        await sleep(20)
        steps.push(`${name} out`)
      })
    await Promise.all([start('a'), start('b'), start('c')])
    expect(steps).toHaveLength(6)
    for (const [index, step] of steps.entries()) {
      if (index % 2 === 0) expect(steps[index + 1]).toBe(step.replace('in', 'out'))
    }
  }),
)

test.each(['sqlite', 'postgres'])('a start that fails on %s lets the next one in', (engine) =>
  withUrl(engine, async (url) => {
    const failing = withStartLock(url, () => Promise.reject(new Error('no luck')))
    await expect(failing).rejects.toThrow('no luck')
    expect(await withStartLock(url, () => Promise.resolve('in'))).toBe('in')
  }),
)

test('a database in memory has nobody to wait for', async () => {
  expect(await withStartLock('sqlite::memory:', () => Promise.resolve('in'))).toBe('in')
})

test('a database without a name leaves no lock file in the working directory', async () => {
  const begun: string[] = []
  const starting = withStartLock('sqlite:', () => Promise.resolve(begun.push('in')))
  await expect(starting).rejects.toThrow('must name a file')
  expect(begun).toEqual([])
  expect(existsSync('.start')).toBe(false)
})
