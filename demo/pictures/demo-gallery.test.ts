import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { seedGallery } from './demo-gallery.ts'
import { copyPictures } from './pictures.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

let mediaFolder: string
let pictures: Map<string, string>

beforeAll(async () => {
  mediaFolder = await mkdtemp(join(tmpdir(), 'apposite-demo-gallery-'))
  pictures = await copyPictures(mediaFolder)
})

afterAll(async () => {
  await rm(mediaFolder, { recursive: true, force: true })
})

async function addHomepage({ db }: Database): Promise<void> {
  await db
    .insertInto('homepage')
    .values({
      id: '1',
      image_url: pictures.get('hero') ?? null,
      color: '#ffffff',
      modal_image: pictures.get('modal') ?? null,
      show_modal: 1,
      modal_heading: 'See who is free',
      modal_description: 'This week.',
      updated_at: NOW,
    })
    .execute()
}

describeEngines('the demo’s gallery', (makeDatabase) => {
  test('has several pictures in all sizes and versions to restore, written once', async () => {
    const database = await makeDatabase()
    await addHomepage(database)
    const seeding = { now: NOW, mediaFolder }
    const done = await Promise.all([seedGallery(database, seeding), seedGallery(database, seeding)])
    expect(done.toSorted()).toEqual([false, true])
    expect(await seedGallery(database, seeding)).toBe(false)
    const { db } = database
    const images = await db.selectFrom('gallery_images').selectAll().orderBy('no').execute()
    expect(images.filter(({ purpose }) => purpose === 'gallery').map(({ alt }) => alt)).toEqual([
      'A calm reception: a visitor at the desk, a receptionist and a doctor',
      'Morning light on green hills',
      'A practice with a red door in a street of houses',
      'A dentist in blue at her table in a bright room',
      'Two armchairs by an arched window',
    ])
    const files = await db.selectFrom('gallery_files').selectAll().execute()
    expect(files).toHaveLength(5 * 4 + 3)
    const named = files.map(({ path }) => path.slice('/media/'.length))
    expect(new Set(named).size).toBe(files.length)
    for (const { path, width, height } of files) {
      const meta = await sharp(join(mediaFolder, path.slice('/media/'.length))).metadata()
      expect([meta.width, meta.height]).toEqual([width, height])
    }
    const versions = await db
      .selectFrom('homepage_versions')
      .selectAll()
      .orderBy('version')
      .execute()
    const page = await db.selectFrom('homepage').selectAll().executeTakeFirstOrThrow()
    const { id, updated_at, ...now } = page
    expect([id, updated_at]).toEqual(['1', NOW])
    expect(versions.at(-1)).toMatchObject(now)
  })

  test('keeps a homepage that somebody has changed', async () => {
    const database = await makeDatabase()
    await addHomepage(database)
    await database.db.updateTable('homepage').set({ version: 7 }).execute()
    await seedGallery(database, { now: NOW, mediaFolder })
    expect(await database.db.selectFrom('homepage_versions').selectAll().execute()).toEqual([])
    expect(await database.db.selectFrom('homepage').select('version').execute()).toEqual([
      { version: 7 },
    ])
  })
})
