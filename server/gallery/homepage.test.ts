import { expect, test } from 'vitest'
import { HOMEPAGE_ID } from '#contract/gallery.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

test('until staff choose something the homepage is white, without picture or modal', async () => {
  await using testApp = await makeTestApp()
  expect(await testApp.caller().gallery.homepage()).toEqual({
    image_url: null,
    color: '#ffffff',
    modal_image: null,
    show_modal: false,
    modal_heading: '',
    modal_description: '',
    image_alt: '',
    image_sizes: [],
    modal_sizes: [],
  })
})

test('the homepage record comes under its documented names, and no other record does', async () => {
  await using testApp = await makeTestApp()
  const record = {
    image_url: `/media/${'0f'.repeat(16)}.webp`,
    color: '#0b6b5b',
    modal_image: null,
    modal_heading: 'Open on Sundays',
    modal_description: 'From March.',
  }
  await testApp.database.db
    .insertInto('homepage')
    .values([
      { ...record, id: HOMEPAGE_ID, show_modal: 1, updated_at: 0 },
      { ...record, id: 'other', modal_heading: 'Not this', show_modal: 0, updated_at: 1 },
    ])
    .execute()
  expect(await testApp.caller().gallery.homepage()).toEqual({
    ...record,
    show_modal: true,
    image_alt: '',
    image_sizes: [],
    modal_sizes: [],
  })
})
