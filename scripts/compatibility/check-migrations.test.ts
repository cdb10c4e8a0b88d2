import { CompiledQuery, type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { migrations, RELEASED } from '#migrations/registry.ts'
import type { Step } from '#migrations/step.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { checkMigrations } from './check-migrations.ts'

type Up = (db: Kysely<unknown>) => Promise<unknown>

const PEOPLE = sql`no integer primary key, name text not null, note text, email text not null,
  state text not null default 'new' constraint people_state check (state in ('new', 'old')),
  age integer, constraint people_email unique (email)`

/** A released version of two tables. */
async function base(db: Kysely<unknown>): Promise<void> {
  await sql`create table people (${PEOPLE})`.execute(db)
  await sql`create index people_name on people (name, age)`.execute(db)
  await sql`create table visits (no integer primary key, person_no integer not null)`.execute(db)
}

function down(): Promise<void> {
  return Promise.resolve()
}

function step(up: Up, says: Omit<Step, 'up' | 'down'> = {}): Step {
  return { up: async (db) => void (await up(db)), down, ...says }
}

function check(database: Database, ...later: Step[]): Promise<string[]> {
  const added = later.map((one, at) => [`000${at + 3}-later`, one] as const)
  const steps = {
    '0001-base': step(base),
    '0002-released': step(() => Promise.resolve()),
    ...Object.fromEntries(added),
  }
  return checkMigrations(database, { steps, released: '0002-released' })
}

function run(statement: string): Up {
  return (db) => db.executeQuery(CompiledQuery.raw(statement))
}

/** SQLite has no statement for it: the table is rebuilt. */
async function rebuildTable(db: Kysely<unknown>, columns: string): Promise<void> {
  await db.schema.dropTable('people').execute()
  await run(`create table people (${columns})`)(db)
  await sql`create index people_name on people (name, age)`.execute(db)
}

const COLUMNS = {
  name: 'name text not null',
  note: 'note text',
  email: 'email text not null constraint people_email unique',
  state: `state text not null default 'new' constraint people_state check (state in ('new', 'old'))`,
  age: 'age integer',
}

/** The table with some columns defined differently. */
function redefineColumns(changed: Partial<typeof COLUMNS>): Up {
  const columns = ['no integer primary key', ...Object.values({ ...COLUMNS, ...changed })]
  return (db) => rebuildTable(db, columns.join(', '))
}

const BREAKING: [kind: string, up: Up, found: string[]][] = [
  ['a table that goes', run('drop table visits'), ['drops table visits']],
  ['a table with another name', run('alter table visits rename to v'), ['drops table visits']],
  ['a column that goes', run('alter table people drop column note'), ['drops column people.note']],
  [
    'a column with another name',
    run('alter table people rename column note to remark'),
    ['drops column people.note'],
  ],
  [
    'a narrower type',
    redefineColumns({ note: 'note integer' }),
    ['changes people.note from text to integer'],
  ],
  [
    'a column that needs a value',
    redefineColumns({ age: 'age integer, town text not null' }),
    ['requires column people.town'],
  ],
  [
    'a column that takes null no more',
    redefineColumns({ note: 'note text not null' }),
    ['forbids null in people.note'],
  ],
  [
    'a column that may be null now',
    redefineColumns({ name: 'name text' }),
    ['allows null in people.name'],
  ],
  [
    'a default that goes',
    redefineColumns({ state: COLUMNS.state.replace(`default 'new' `, '') }),
    ['drops the default of people.state'],
  ],
  [
    'a new key over old rows',
    run('create unique index people_once on people (name)'),
    ['unique people(name)'],
  ],
  [
    'a key that goes, which `on conflict` names',
    redefineColumns({ email: 'email text not null' }),
    ['drops unique people(email)'],
  ],
  [
    'a new check over old rows',
    redefineColumns({ age: 'age integer constraint people_age check (age > 0)' }),
    ['check people: people_age'],
  ],
  [
    'a check that says something else',
    redefineColumns({ state: COLUMNS.state.replace(`'old'`, `'older'`) }),
    ['check people: people_state'],
  ],
  [
    'a reference over old rows',
    redefineColumns({ age: 'age integer references visits (no)' }),
    ['reference people(age)'],
  ],
  ['an index that goes', run('drop index people_name'), ['drops index people_name']],
]

describeEngines('a change that breaks the previous version', (makeDatabase) => {
  test.each(BREAKING)('is refused: %s', async (_kind, up, found) => {
    const database = await makeDatabase('nothing')
    expect(await check(database, step(up))).toEqual(found.map((what) => `0003-later: ${what}`))
  })

  test('is refused: a trigger', async () => {
    const database = await makeDatabase('nothing')
    const up: Up = async (db) => {
      if (database.engine === 'sqlite') {
        await sql`create trigger no_visit before insert on visits
          begin select raise(abort, 'no'); end`.execute(db)
        return
      }
      await sql`create function no_visit() returns trigger language plpgsql
        as $$ begin raise exception 'no'; end $$`.execute(db)
      await sql`create trigger no_visit before insert on visits
        for each row execute function no_visit()`.execute(db)
    }
    expect(await check(database, step(up))).toEqual(['0003-later: trigger visits: no_visit'])
  })

  test('passes when accepted with a reason, not with an empty one', async () => {
    const database = await makeDatabase('nothing')
    const up = run('create unique index people_once on people (name)')
    const accepts = { 'unique people(name)': 'Names have been unique since version 0.' }
    expect(await check(database, step(up, { accepts }))).toEqual([])
    const again = await makeDatabase('nothing')
    expect(await check(again, step(up, { accepts: { 'unique people(name)': ' ' } }))).toEqual([
      '0003-later: unique people(name)',
    ])
  })

  test('passes as the contraction of something that a released version stopped using', async () => {
    const drop = run('alter table people drop column note')
    const marked = async (contracts: string) =>
      check(await makeDatabase('nothing'), step(drop, { contracts }))
    expect(await marked('0002')).toEqual([])
    expect(await marked('0003')).toEqual(['0003-later: contracts 0003, which is not released yet'])
    expect(await marked('0017')).toEqual(['0003-later: contracts 0017, which is no migration'])
  })

  test('a contraction may not add what the previous version may violate', async () => {
    const database = await makeDatabase('nothing')
    const up = run('create unique index people_once on people (name)')
    expect(await check(database, step(up, { contracts: '0002' }))).toEqual([
      '0003-later: unique people(name)',
    ])
  })

  test('new tables, columns that need no value and wider types pass', async () => {
    const database = await makeDatabase('nothing')
    const more = step(async (db) => {
      await sql`create table towns (no integer primary key, name text not null unique)`.execute(db)
      await sql`create index towns_name on towns (name, no)`.execute(db)
      await sql`alter table people add column town_no integer`.execute(db)
      await sql`alter table people add column mark text not null default ''`.execute(db)
      await sql`create unique index people_town on people (town_no, name)`.execute(db)
    })
    const wider = step(
      redefineColumns({
        age: `age bigint, town_no integer references towns (no), mark text not null default '',
          unique (town_no, name)`,
      }),
    )
    expect(await check(database, more, wider)).toEqual([])
  })

  test('what is added and removed after the release passes', async () => {
    const database = await makeDatabase('nothing')
    const comes = step(run('create table towns (no integer primary key, name text)'))
    const goes = step(run('drop table towns'))
    expect(await check(database, comes, goes)).toEqual([])
  })

  test('refuses an index built inside a migration that would block writes on Postgres', async () => {
    const database = await makeDatabase('nothing')
    const found = await check(
      database,
      step(run('create index visits_person on visits (person_no)')),
    )
    const locks = ['0003-later: locks visits for index visits_person']
    expect(found).toEqual(database.engine === 'postgres' ? locks : [])
  })

  test('the migrations since the released version leave it working', async () => {
    const database = await makeDatabase('nothing')
    expect(Object.keys(migrations)).toContain(RELEASED)
    const findings = await checkMigrations(database, { steps: migrations, released: RELEASED })
    expect(findings, 'See "Backward-compatible migrations"').toEqual([])
  })
})
