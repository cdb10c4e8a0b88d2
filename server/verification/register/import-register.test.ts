import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Database } from '#db/engine.ts'
import { listFiles } from '#db/geo/import/list-files.ts'
import { ImportProblem } from '#db/geo/import/report.ts'
import { makeTree } from '#scripts/test/run-script.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { importRegister, readRegisterTable } from './import-register.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

type ImportOptions = { body?: ProfessionalBody; text: string | Buffer; isForced?: boolean }

async function importText(database: Database, { body = 'GMC', text, isForced }: ImportOptions) {
  using tree = makeTree({ 'list.csv': text })
  const [file] = await listFiles(`${tree.root}/list.csv`)
  if (file === undefined) throw new Error('no file')
  return await importRegister(database, {
    body,
    file,
    now: () => NOW,
    ...(isForced === undefined ? {} : { isForced }),
  })
}

const GMC = `\uFEFFGMC Ref No,Surname,Given Name,Gender,Registration Status,FTP Conditions Exist,FTP Undertakings Exist
7000001,Bennett,Amara,Woman,Registered with licence to practise,No,No
7000002,"O'Neill, Jr.",Ann,Woman,Registered with licence to practise,Yes,
7000003,Lee,"Bo ""B""",Man,Suspended,,
`

const plain = (count: number, from = 7_000_001) =>
  [
    'registration_number,first_name,last_name,status',
    ...Array.from({ length: count }, (_, at) => `${from + at},Ann,Lee,Registered`),
  ].join('\n')

/** A database on which something else happens before the transaction of this number. */
function interrupted(
  database: Database,
  { number, act }: { number: number; act: () => Promise<unknown> },
): Database {
  let writes = 0
  return {
    ...database,
    transaction: async (work) => {
      writes += 1
      if (writes === number) await act()
      return database.transaction(work)
    },
  }
}

describeEngines('a register’s list', (makeDatabase) => {
  test('is imported, and look-ups use it', async () => {
    const database = await makeDatabase()
    const find = readRegisterTable(database)
    await expect(find('GMC', '7000001')).rejects.toThrow('The GMC register did not answer')
    const done = await importText(database, { text: GMC })
    expect(done).toEqual({ entries: 3, skipped: 0, rejected: 0, problems: [] })
    expect(await find('GMC', '7000001')).toEqual({
      registration_number: '7000001',
      name: 'Amara Bennett',
      status_text: 'Registered with licence to practise',
      source: 'table 2026-03-02',
    })
    expect(await find('GMC', '7000002')).toMatchObject({
      name: "Ann O'Neill, Jr.",
      status_text: 'Registered with licence to practise; with conditions or undertakings',
    })
    expect(await find('GMC', '7000003')).toMatchObject({ name: 'Bo "B" Lee' })
    expect(await find('GMC', '7000004')).toBeNull()
    await expect(find('GDC', '12345')).rejects.toThrow('did not answer')
  })

  test('replaces the previous one completely', async () => {
    const database = await makeDatabase()
    await importText(database, { text: plain(12_000) })
    await importText(database, { text: plain(12_001, 7_000_101) })
    const find = readRegisterTable(database)
    expect(await find('GMC', '7000001')).toBeNull()
    expect(await find('GMC', '7012101')).not.toBeNull()
    const rows = await database.db.selectFrom('register_entries').select('load_no').execute()
    expect(rows).toHaveLength(12_001)
    const loads = await database.db.selectFrom('register_loads').selectAll().execute()
    expect(loads).toMatchObject([{ state: 'current', entries: 12_001, source: 'list.csv' }])
  })

  test('is not replaced by a file that is damaged, much smaller, or not a list', async () => {
    const database = await makeDatabase()
    await importText(database, { text: plain(100) })
    const bad: [string | Buffer, RegExp][] = [
      [plain(49), /It has only 49 entries; there were 100 before\. Nothing was replaced\./],
      [
        `${plain(100)}\n${'x,Ann,Lee,Registered\n'.repeat(10)}`,
        /10 of 110 rows could not be read\. Line 102 "x" is no GMC number\./,
      ],
      ['registration_number,first_name,last_name,status\n', /None of its rows could be read/],
      ['Hello', /lacks the columns "gmc_ref_no" or "registration_number", /],
      ['', /is empty/],
      [gzipSync(plain(100)).subarray(0, 200), /damaged or cut short/],
    ]
    for (const [text, message] of bad) {
      const failure = await importText(database, { text }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ImportProblem)
      expect(String(failure)).toMatch(message)
    }
    const loads = await database.db
      .selectFrom('register_loads')
      .select(['state', 'entries'])
      .execute()
    expect(loads).toEqual([{ state: 'current', entries: 100 }])
    const rows = await database.db.selectFrom('register_entries').select('load_no').execute()
    expect(rows).toHaveLength(100)
    expect((await importText(database, { text: plain(49), isForced: true })).entries).toBe(49)
    const unreadable = `${plain(0)}\nx,Ann,Lee,Registered\n`
    const forced = importText(database, { text: unreadable, isForced: true })
    await expect(forced).rejects.toThrow('None of its rows could be read.')
  })

  test.each([2, 3])(
    'is the one whose import began later, when another ends before write %i of the earlier one',
    async (number) => {
      const database = await makeDatabase()
      await importText(database, { text: plain(5) })
      const other = () => importText(database, { text: plain(4, 7_000_101) })
      const earlier = interrupted(database, { number, act: other })
      const failure = importText(earlier, { text: plain(3, 7_000_201) })
      await expect(failure).rejects.toThrow(
        'A later import of this register has finished meanwhile.',
      )
      expect(await readRegisterTable(database)('GMC', '7000101')).not.toBeNull()
      const rows = await database.db.selectFrom('register_entries').select('load_no').execute()
      expect(rows).toHaveLength(4)
    },
  )

  test('is not affected by another import that fails meanwhile', async () => {
    const database = await makeDatabase()
    await importText(database, { text: plain(5) })
    const act = () =>
      expect(importText(database, { text: plain(0) })).rejects.toThrow('None of its')
    const earlier = interrupted(database, { number: 3, act })
    expect((await importText(earlier, { text: plain(3, 7_000_201) })).entries).toBe(3)
    expect(await readRegisterTable(database)('GMC', '7000201')).not.toBeNull()
    const loads = await database.db.selectFrom('register_loads').select('state').execute()
    expect(loads).toEqual([{ state: 'current' }])
  })

  test('reports bad rows by line, and imports the others', async () => {
    const database = await makeDatabase()
    const lines = plain(200).split('\n')
    lines.splice(3, 0, '700000,Ann,Lee,Registered', '7999991,Ann,Lee', '7999992,,,Registered')
    lines.push('7999993,Ann,Lee,', '7000001,Bo,Lee,Registered', `7999994,${'A'.repeat(201)},,R`)
    const done = await importText(database, { text: lines.join('\r\n') })
    expect(done.entries).toBe(200)
    expect(done.problems.toSorted((a, b) => a.line - b.line)).toEqual([
      { line: 4, why: '"700000" is no GMC number' },
      { line: 5, why: 'has 3 cells where there should be 4' },
      { line: 6, why: 'has no name' },
      { line: 205, why: 'has no status' },
      { line: 206, why: '7000001 was there before' },
      { line: 207, why: 'has a name of more than 200 characters' },
    ])
    expect(await readRegisterTable(database)('GMC', '7000001')).toMatchObject({ name: 'Ann Lee' })
  })
})

describeEngines('the other registers', (makeDatabase) => {
  test('GDC: number, forenames, surname and status', async () => {
    const database = await makeDatabase()
    const text = 'Registration Number,Forenames,Surname,Status\n12345,Ann Mary,Lee,Registered\n'
    await importText(database, { body: 'GDC', text: gzipSync(text) })
    expect(await readRegisterTable(database)('GDC', '12345')).toMatchObject({
      name: 'Ann Mary Lee',
      status_text: 'Registered',
    })
  })

  test('NPI: the NPPES download, without organisations, deactivated ones as such', async () => {
    const database = await makeDatabase()
    const text = [
      '"NPI","Entity Type Code","Provider Last Name (Legal Name)","Provider First Name","NPI Deactivation Date","NPI Reactivation Date"',
      '"2000000006","1","RIVERA","DANIEL","",""',
      '"2000000014","2","","","",""',
      '"2000000022","","","","03/01/2026",""',
      '"2000000030","1","LEE","ANN","03/01/2025","04/01/2025"',
    ].join('\n')
    const done = await importText(database, { body: 'NPI', text })
    expect(done).toMatchObject({ entries: 3, skipped: 1, rejected: 0 })
    const find = readRegisterTable(database)
    const said = async (number: string) => (await find('NPI', number))?.status_text
    expect(await said('2000000006')).toBe('Active')
    expect(await said('2000000022')).toBe('Deactivated')
    expect(await said('2000000030')).toBe('Active')
  })
})
