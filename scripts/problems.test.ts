import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { problemsOf } from './problems.ts'
import { makeTree, runScript } from './test/run-script.ts'

const SECRET_KEY = 'a key of thirty-two letters or so'

/** Every command that opens the database. */
const OPENING: [string, string[]][] = [
  ['reindex', []],
  ['audit-verify', []],
  ['backup', ['backups']],
  ['staff-recover', ['ada@staff.example']],
]

function apart(name: string, args: readonly string[], root: string, dataDir = root) {
  return runScript(name, args, {
    DATA_DIR: dataDir,
    INIT_CWD: root,
    SECRET_KEY,
    LOG_LEVEL: 'silent',
  })
}

test.each(OPENING)('%s names a database file that is none, in a sentence', (name, args) => {
  using tree = makeTree({
    'junk/apposite.db': `${'not a database '.repeat(20)}\n`,
    'empty/apposite.db': '',
  })
  mkdirSync(join(tree.root, 'folder/apposite.db'), { recursive: true })
  const sentences = ['junk', 'empty', 'folder'].map((at) => {
    const { code, err } = apart(name, args, tree.root, join(tree.root, at))
    expect(code).toBeGreaterThan(0)
    return err
  })
  expect(sentences).toEqual([
    'The database file is not a database.\n',
    expect.stringMatching(/^There is no audit log yet|^The database has no tables yet/),
    expect.stringMatching(/apposite\.db is a folder, and has to be the file of the database\.\n$/),
  ])
})

test('a backup into a folder that cannot be made ends with a sentence', async () => {
  using tree = makeTree({ file: '' })
  const database = openDatabase(`sqlite:${join(tree.root, 'apposite.db')}`)
  await migrateToLatest(database)
  await database.close()
  writeFileSync(join(tree.root, 'secret.key'), '')
  const before = readdirSync(tree.root)
  const cases: [string, string][] = [
    ['file', `${join(tree.root, 'file')} is a file, and has to be a folder.\n`],
    ['file/below', `${join(tree.root, 'file')} is a file, and has to be a folder.\n`],
  ]
  // Linux lets nobody make a folder there, and Node's own recursive mkdir never returns.
  if (existsSync('/proc/self')) {
    cases.push(['/proc/apposite/backups', 'The folder /proc/apposite cannot be made here.\n'])
  }
  for (const [folder, sentence] of cases) {
    const { code, err } = apart('backup', [folder], tree.root)
    expect([code, err]).toEqual([1, sentence])
  }
  expect(readdirSync(tree.root)).toEqual(before)
})

const failure = (code: string, more: object = {}) =>
  Object.assign(new Error('raw'), { code, ...more })

test.each([
  [failure('ENOSPC', { path: '/b/x' }), '/b/x cannot be written: the disk is full.'],
  [
    failure('EROFS', { syscall: 'mkdir', path: '/b' }),
    'The folder /b is on a disk that can only be read.',
  ],
  [failure('EACCES', { path: '/b' }), '/b may not be read or written by this user.'],
  [failure('SQLITE_FULL'), 'The disk is full: the database cannot be written.'],
  [
    failure('SQLITE_IOERR_WRITE'),
    'The disk reports an error: the database cannot be read or written.',
  ],
  [failure('SQLITE_READONLY_DBMOVED'), 'The database may not be written by this user.'],
  [failure('3D000'), 'There is no such database on the Postgres server. Check DATABASE_URL.'],
  [failure('ECONNREFUSED'), 'raw'],
])('%s becomes a sentence', (error, sentence) => {
  expect(problemsOf(error)).toEqual([sentence])
})

test('a fault of the program keeps its stack trace', () => {
  expect(problemsOf(new TypeError('no such thing'))[0]).toContain('problems.test.ts')
})
