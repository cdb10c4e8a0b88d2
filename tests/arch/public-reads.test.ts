import { expect, test } from 'vitest'
import { accessTable } from '#server/kernel/access.ts'
import { read, sourceFiles } from './repository.ts'

test('what may be read from a replica is this, and all of it is for everybody', () => {
  const routers = sourceFiles().flatMap((path) => {
    const [, folder] = /^server\/([\w-]+)\/router\.ts$/.exec(path) ?? []
    return folder === undefined
      ? []
      : [{ path, room: folder.replace(/-(\w)/g, (_, c: string) => c.toUpperCase()) }]
  })
  expect(routers.length).toBeGreaterThan(15)
  const found = routers.flatMap(({ path, room }) =>
    [...read(path).matchAll(/(\w+): publicReadProcedure/g)].map(([, name]) => `${room}.${name}`),
  )
  expect(found.toSorted()).toEqual([
    'availability.freeTimes',
    'gallery.homepage',
    'profiles.visitTypes',
    'search.locate',
    'search.map',
    'search.provider',
    'search.providers',
    'search.suggest',
  ])
  for (const path of found) expect(accessTable.get(path)?.may).toContain('visitor')
})
