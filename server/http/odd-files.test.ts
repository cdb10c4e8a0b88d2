import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DOCUMENT_PATH } from '#contract/verification.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { isoFile, makePhoto, withScanEnd, withStrayBytes } from '#tests/harness/phone-photos.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { uploads } from './uploads.ts'

const Answer = z.record(z.string(), z.unknown())

/** Everybody who may upload, and every path they may upload to. */
async function makeUploaders() {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-photo-'))
  const testApp = await makeTestApp({ config: { dataDir: folder } })
  const provider = new Browser(testApp)
  await provider.signIn((await makeProviderAccount(testApp)).account)
  const staff = await signInDemoStaff(testApp, 'editor')
  return {
    /** Status and code of the answer, by path. */
    async sendEverywhere(body: Buffer, type: string | null) {
      const answers: Record<string, unknown[]> = {}
      for (const { path, row } of uploads) {
        const browser = row.may.includes('provider') ? provider : staff
        const headers = type === null ? {} : { 'content-type': type }
        const init = { method: 'POST', headers, body: new Uint8Array(body) }
        const response = await browser.fetch(path, init)
        const { code } = Answer.parse(await response.json())
        answers[path] = [response.status, code]
      }
      return answers
    },
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const everywhere = (status: number, code?: string) =>
  Object.fromEntries(uploads.map(({ path }) => [path, [status, code]]))

test.each<[string, (photo: Buffer) => Buffer]>([
  ['a scan that ends at 0', withScanEnd],
  ['a scan that ends at 255', (photo) => withScanEnd(photo, 255)],
  ['zeros before its second segment', (photo) => withStrayBytes(photo, 1)],
  ['zeros before its third segment', (photo) => withStrayBytes(photo, 2)],
  ['zeros before its fourth segment', (photo) => withStrayBytes(photo, 3)],
  ['text between segments', (photo) => withStrayBytes(photo, 2, Buffer.from('SAMSUNG'))],
  ['fill bytes between segments', (photo) => withStrayBytes(photo, 2, Buffer.alloc(18, 0xff))],
  ['both faults', (photo) => withStrayBytes(withScanEnd(photo), 2)],
  ['a film after it', (photo) => Buffer.concat([photo, isoFile('mp42', 'isom')])],
  ['a second picture after it', (photo) => Buffer.concat([photo, photo])],
])('a photo with %s is accepted, as browsers show it', async (_what, change) => {
  await using uploaders = await makeUploaders()
  const answers = await uploaders.sendEverywhere(change(await makePhoto()), 'image/jpeg')
  expect(answers).toEqual(everywhere(201))
})

test.each<[string, (photo: Buffer) => Buffer]>([
  ['cut at 60 %', (photo) => photo.subarray(0, photo.length * 0.6)],
  ['cut at 99 %', (photo) => photo.subarray(0, photo.length * 0.99)],
  // Without the two bytes of the end marker alone, nothing of the picture is missing.
  ['without its last bytes', (photo) => photo.subarray(0, -64)],
  [
    'cut in half and filled up with zeros',
    (photo) => Buffer.from(photo).fill(0, photo.length >> 1),
  ],
  ['cut, of a phone', (photo) => withScanEnd(photo.subarray(0, photo.length * 0.6))],
])('a photo %s is damaged', async (_what, change) => {
  await using uploaders = await makeUploaders()
  const answers = await uploaders.sendEverywhere(change(await makePhoto()), 'image/jpeg')
  expect(answers).toEqual(everywhere(422, 'image_damaged'))
})

test.each([
  'image/jpg',
  'image/pjpeg',
  'IMAGE/JPEG',
  'image/jpeg; charset=binary',
  'image/png',
  'image/heic',
  'application/octet-stream',
  'binary/octet-stream',
  '',
  null,
])('a JPEG is one under the type %s too', async (type) => {
  await using uploaders = await makeUploaders()
  expect(await uploaders.sendEverywhere(await makePhoto(), type)).toEqual(everywhere(201))
})

test('an AVIF is read', async () => {
  await using uploaders = await makeUploaders()
  const photo = await sharp(await makePhoto())
    .avif({ effort: 0 })
    .toBuffer()
  expect(await uploaders.sendEverywhere(photo, 'image/avif')).toEqual(everywhere(201))
  expect(await uploaders.sendEverywhere(photo.subarray(0, photo.length / 2), '')).toEqual(
    everywhere(422, 'image_damaged'),
  )
})

test.each([
  ['image/heic', isoFile('heic', 'mif1', 'heic')],
  ['image/heif', isoFile('mif1', 'mif1', 'heic', 'miaf')],
  ['image/jpeg', isoFile('heix')],
  ['', isoFile('msf1', 'hevc')],
])('a HEIC photo sent as %j gets a sentence that says how to send a JPEG', async (type, file) => {
  await using uploaders = await makeUploaders()
  expect(await uploaders.sendEverywhere(file, type)).toEqual(everywhere(415, 'image_heic'))
})

test('a film is not a picture', async () => {
  await using uploaders = await makeUploaders()
  const answers = await uploaders.sendEverywhere(isoFile('mp42', 'isom'), 'image/heic')
  expect(Object.values(answers).map(([status]) => status)).toEqual(uploads.map(() => 415))
})

const PDF = `%PDF-1.7\n${'x'.repeat(500)}\n%%EOF\n`

test.each([
  ['with zeros up to the end of a block', `${PDF}${'\0'.repeat(4_096)}`, 'application/pdf'],
  ['with blank lines at its end', `${PDF}${'\r\n'.repeat(3_000)}`, 'application/pdf'],
  ['with a note after it', `${PDF}Scanned by Example`, 'application/pdf'],
  ['after a byte order mark', `\u00EF\u00BB\u00BF${PDF}`, 'application/pdf'],
  ['after a printer’s header', `\u001B%-12345X@PJL SET\r\n${PDF}`, 'application/pdf'],
  ['of another type', PDF, 'application/x-pdf'],
  ['of an unknown type', PDF, 'application/octet-stream'],
  ['of no type', PDF, ''],
])('a PDF %s is a document, and no picture', async (_what, body, type) => {
  await using uploaders = await makeUploaders()
  const answers = await uploaders.sendEverywhere(Buffer.from(body, 'latin1'), type)
  expect(answers).toEqual({ ...everywhere(415, 'image_type'), [DOCUMENT_PATH]: [201, undefined] })
})

test.each([
  ['cut at 60 %', PDF.slice(0, 300)],
  ['cut and filled up with zeros', `${PDF.slice(0, 300)}${'\0'.repeat(300)}`],
])('a PDF %s is damaged', async (_what, body) => {
  await using uploaders = await makeUploaders()
  const answers = await uploaders.sendEverywhere(Buffer.from(body, 'latin1'), 'application/pdf')
  expect(answers[DOCUMENT_PATH]).toEqual([422, 'document_damaged'])
})
