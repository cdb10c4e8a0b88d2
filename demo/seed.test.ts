import { mkdtemp, readdir, readFile, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Homepage, MediaUrl } from '#contract/gallery.ts'
import type { Database } from '#db/engine.ts'
import { ACCOUNT_EMAILS } from '#demo/practice/schedules.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { dayIn } from './calendar.ts'
import { seedDemo } from './seed.ts'
import { insertTestAreas } from './test-areas.ts'

/** The part of the homepage that the record itself stores. */
const Recorded = z.omit(Homepage, { image_alt: true, image_sizes: true, modal_sizes: true })

const NOW = Date.parse('2026-03-02T09:00:00Z')
const PER_REGION = 40

let mediaFolder: string

beforeAll(async () => {
  mediaFolder = await mkdtemp(join(tmpdir(), 'apposite-media-'))
})

afterAll(async () => {
  await rm(mediaFolder, { recursive: true, force: true })
})

function options(indexed: (readonly number[])[] = []) {
  return {
    now: NOW,
    mediaFolder,
    providersPerRegion: PER_REGION,
    reindex: (_db: Database['db'], _now: number, nos: readonly number[]) => {
      indexed.push(nos)
      return Promise.resolve()
    },
  }
}

// No portraits are drawn where no test looks at them, to save time.
const withoutPortraits = { draw: () => Promise.resolve(new Map<string, string>()) }

const failingReindex = () => Promise.reject(new Error('index broke'))

const localMedia = (path: string) => join(mediaFolder, path.slice('/media/'.length))

describeEngines('the demo', (makeDatabase) => {
  async function seeded(changes: Partial<typeof withoutPortraits> = {}): Promise<Database> {
    const database = await makeDatabase()
    await insertTestAreas(database)
    await seedDemo(database, { ...options(), ...changes })
    return database
  }

  test('is written once, and indexed with it', async () => {
    const database = await makeDatabase()
    await insertTestAreas(database)
    const indexed: (readonly number[])[] = []
    const said: string[] = []
    const report = (line: string) => said.push(line)
    expect(await seedDemo(database, { ...options(indexed), ...withoutPortraits, report })).toBe(
      true,
    )
    expect(await seedDemo(database, options(indexed))).toBe(false)
    const rows = await database.db
      .selectFrom('providers')
      .select(['no', 'email'])
      .orderBy('no')
      .execute()
    expect(rows).toHaveLength(PER_REGION * 2)
    // The accounts people sign in as are indexed with their hours.
    const others = rows.filter(({ email }) => !ACCOUNT_EMAILS.includes(email))
    expect(others).toHaveLength(PER_REGION * 2 - 3)
    expect(indexed).toEqual([others.map((row) => row.no)])
    expect(said[0]).toBe('Making the demo: 80 doctors and dentists')
  })

  test('is written once by two processes that start together', async () => {
    const database = await makeDatabase()
    await insertTestAreas(database)
    const outcomes = await Promise.all([
      seedDemo(database, options()),
      seedDemo(database, options()),
    ])
    expect(outcomes.toSorted()).toEqual([false, true])
    const { n } = await database.db
      .selectFrom('providers')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(PER_REGION * 2)
  })

  test('leaves nothing behind when a step of it fails', async () => {
    const database = await makeDatabase()
    await insertTestAreas(database)
    await expect(
      seedDemo(database, { ...options(), ...withoutPortraits, reindex: failingReindex }),
    ).rejects.toThrow('index broke')
    expect(await database.db.selectFrom('providers').selectAll().execute()).toEqual([])
    expect(await seedDemo(database, options())).toBe(true)
  })

  test('asks for the places first', async () => {
    const database = await makeDatabase()
    await expect(seedDemo(database, options())).rejects.toThrow('Load the places first.')
  })

  test('has slots for today and two weeks, in working hours of each clinic', async () => {
    const database = await seeded(withoutPortraits)
    const slots = await database.db
      .selectFrom('slots')
      .innerJoin('places', 'places.no', 'slots.place_no')
      .innerJoin('providers', 'providers.no', 'slots.provider_no')
      .select(['start_at', 'minutes', 'free', 'time_zone', 'consultation_minutes'])
      .execute()
    expect(slots.length).toBeGreaterThan(2_000)
    for (const slot of slots) {
      const ahead = dayIn(slot.time_zone, slot.start_at) - dayIn(slot.time_zone, NOW)
      expect(ahead).toBeGreaterThanOrEqual(0)
      expect(ahead).toBeLessThanOrEqual(14)
      const wall = Temporal.Instant.fromEpochMilliseconds(slot.start_at).toZonedDateTimeISO(
        slot.time_zone,
      )
      expect(wall.hour).toBeGreaterThanOrEqual(8)
      expect(wall.hour).toBeLessThanOrEqual(19)
      expect(slot.minutes).toBe(slot.consultation_minutes)
    }
    const free = slots.filter((slot) => slot.free === 1).length / slots.length
    expect(free).toBeGreaterThan(0.2)
    expect(free).toBeLessThan(0.6)
  })

  test('gives everybody a picture that is there: webp, 320 by 320', async () => {
    const database = await seeded()
    const rows = await database.db.selectFrom('providers').select('photo').distinct().execute()
    expect(rows.length).toBeGreaterThan(50)
    for (const { photo } of rows) {
      const bytes = await readFile(localMedia(MediaUrl.parse(photo)))
      const { format, width, height } = await sharp(bytes).metadata()
      expect([format, width, height]).toEqual(['webp', 320, 320])
    }
    expect(
      (await readdir(mediaFolder)).filter((name) => !/^[0-9a-f]{32}\.webp$/.test(name)),
    ).toEqual([])
  })

  test('dresses the homepage, and never over what staff have set', async () => {
    const database = await seeded()
    const row = await database.db.selectFrom('homepage').selectAll().executeTakeFirstOrThrow()
    const page = Recorded.parse({ ...row, show_modal: row.show_modal === 1 })
    expect(page.show_modal).toBe(true)
    expect(page.modal_heading).not.toBe('')
    const sizes = [page.image_url, page.modal_image].map(async (path) => {
      const { width, height } = await sharp(localMedia(path ?? '')).metadata()
      return [width, height]
    })
    expect(await Promise.all(sizes)).toEqual([
      [1600, 1000],
      [960, 540],
    ])
    await database.db.updateTable('homepage').set({ modal_heading: 'Ours' }).execute()
    await seedDemo(database, options())
    const kept = await database.db.selectFrom('homepage').select('modal_heading').execute()
    expect(kept).toEqual([{ modal_heading: 'Ours' }])
  })

  test('draws a picture again that got lost', async () => {
    const database = await seeded()
    const { photo } = await database.db
      .selectFrom('providers')
      .select('photo')
      .limit(1)
      .executeTakeFirstOrThrow()
    const file = localMedia(photo ?? '')
    const before = await readFile(file)
    await unlink(file)
    await seedDemo(database, options())
    expect(await readFile(file)).toEqual(before)
  })

  test('leaves the counting of new providers where it was', async () => {
    const database = await seeded(withoutPortraits)
    const {
      photo: _photo,
      no: _no,
      ...row
    } = await database.db.selectFrom('providers').selectAll().limit(1).executeTakeFirstOrThrow()
    const added = await database.db
      .insertInto('providers')
      .values({ ...row, id: 'prv_new', email: 'new@practice.example', photo: null })
      .returning('no')
      .executeTakeFirstOrThrow()
    expect(added.no).toBeGreaterThan(PER_REGION * 2)
  })
})
