import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { errorMessage } from '#contract/base/sentences.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { photoProblem } from './photo-section.tsx'

const photo = page.getByRole('region', { name: 'Photo' })
const button = (name: string) => photo.getByRole('button', { name, exact: true })
const file = photo.getByLabelText(/^(Add a|Change the) photo|Choose another$/)

/** Picks a file of any type, as a file dialog that shows all files allows. */
async function pickFile(field: Locator, picked: File): Promise<void> {
  await expect.element(field).toBeInTheDocument()
  const input = field.element()
  if (!(input instanceof HTMLInputElement)) throw new Error('There is no file field.')
  const carried = new DataTransfer()
  carried.items.add(picked)
  input.files = carried.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

/** A picture as a file. */
async function drawPicture(): Promise<File> {
  const canvas = new OffscreenCanvas(200, 200)
  canvas.getContext('2d')?.fillRect(20, 20, 80, 80)
  return new File([await canvas.convertToBlob()], 'me.png', { type: 'image/png' })
}

test('when a photo is discarded, saved or removed, its file button takes the focus', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=details')
  await file.upload(await drawPicture())
  await button('Discard').click()
  await expect.element(file).toHaveFocus()
  await file.upload(await drawPicture())
  await button('Save photo').click()
  await expect.element(button('Remove photo')).toBeVisible()
  await expect.element(file).toHaveFocus()
  await button('Remove photo').click()
  await expect.element(button('Remove photo')).not.toBeInTheDocument()
  await expect.element(file).toHaveFocus()
})

test('a photo is read whatever its name ends in, and a HEIC one gets a sentence', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=details')
  const heic = '\0\0\0\u0018ftypheic\0\0\0\0mif1heic'
  await pickFile(file, new File([heic], 'IMG_0001.HEIC'))
  await expect.element(photo.getByRole('alert')).toMatchTextContent(/save it as a JPEG/)
  for (const [name, type] of [
    ['IMG_0001.HEIC', 'image/heic'],
    ['photo.JPG', 'image/jpg'],
    ['photo', ''],
  ] as const) {
    await pickFile(file, new File([await drawPicture()], name, { type }))
    await button('Save photo').click()
    await expect.element(button('Remove photo')).toBeVisible()
    await button('Remove photo').click()
    await expect.element(button('Remove photo')).not.toBeInTheDocument()
  }
})

test.for([
  { type: 'image/gif', size: 10, answer: 'Upload a JPEG, PNG or WebP image.' },
  { type: 'image/svg+xml', size: 10, answer: 'Upload a JPEG, PNG or WebP image.' },
  { type: 'image/heic', size: 10, answer: errorMessage('image_heic') },
  { type: 'image/png', size: 5_242_881, answer: 'Image must be 5 MB or smaller.' },
  { type: 'image/webp', size: 5_242_880, answer: null },
])('a file of $type and $size bytes: $answer', ({ type, size, answer }) => {
  expect(photoProblem({ type, size })).toBe(answer)
})
