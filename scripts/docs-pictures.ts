/**
 * Takes the screenshots in `docs/` from a running demo, so that they can be repeated when screens change.
 *
 *     npm start
 *     npm run docs:pictures -- [http://localhost:3000]
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { chromiumArgs, chromiumPath, sizes } from '#tests/e2e/harness/chromium.ts'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'

const FOLDER = join(import.meta.dirname, '../docs/pictures')

/** WebP quality at which text stays sharp. */
const QUALITY = 72

type Picture = {
  name: string
  path: string
  size?: keyof typeof sizes
  /** What the page shows once it has loaded completely. */
  until: string | RegExp
  /** Opens what the picture is to show. */
  show?: (page: Page) => Promise<void>
}

/** Scrolls a part to a little below the top of the screen. */
async function scrollTo(part: Locator): Promise<void> {
  await part.evaluate((element) => {
    element.scrollIntoView({ block: 'start' })
    scrollBy(0, -32)
  })
}

const week = (page: Page) => scrollTo(page.getByRole('region', { name: /^Calendar, / }))

const visitTypes = (page: Page) => scrollTo(page.getByRole('heading', { name: 'Visit types' }))

async function addVisit(page: Page): Promise<void> {
  await week(page)
  await page.getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add a visit' })
  await form.getByRole('radio', { name: 'Phone' }).check()
}

/** Opens the first upcoming visit that was booked online. */
async function openVisit(page: Page): Promise<void> {
  const calendar = page.getByRole('region', { name: /^Calendar, / })
  await calendar
    .getByRole('button', { name: /Tom Hartley/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Open as a page' }).click()
  const cancel = page.getByRole('button', { name: 'Cancel visit' })
  await cancel.evaluate((element) => {
    element.scrollIntoView({ block: 'end' })
    scrollBy(0, 48)
  })
}

const PICTURES: Picture[] = [
  { name: 'verify', path: '/provider-verify', until: 'Continue to your company' },
  { name: 'hours', path: '/doctor/availability/new', until: 'Everything is saved' },
  { name: 'visit-types', path: '/doctor/profile', until: 'Visit types', show: visitTypes },
  { name: 'calendar', path: '/dochome', until: 'Next free times', show: week },
  { name: 'add-visit', path: '/dochome', until: 'Next free times', show: addVisit },
  { name: 'visit', path: '/dochome', until: 'Next free times', show: openVisit },
  { name: 'history', path: '/doctor/appointment-history', until: /^1 to 5 of/ },
  { name: 'phone', path: '/dochome', size: 'phone', until: 'Next free times' },
]

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

/** Takes the picture; returns its size in bytes. */
async function take(page: Page, picture: Picture): Promise<number> {
  const { name, path, size = 'desktop', until, show } = picture
  await page.setViewportSize(sizes[size])
  await page.goto(path)
  await page.getByText(until).first().waitFor()
  await settle(page)
  await show?.(page)
  await settle(page)
  const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const { size: bytes } = await sharp(png)
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(join(FOLDER, `${name}.webp`))
  return bytes
}

async function main(site = 'http://localhost:3000'): Promise<number> {
  await mkdir(FOLDER, { recursive: true })
  await using browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: chromiumArgs,
    // Browsers format dates and times in forms by their own language.
    env: { ...process.env, LANG: 'en_GB.UTF-8', LANGUAGE: 'en_GB' },
  })
  const page = await browser.newPage({ baseURL: site, colorScheme: 'light', locale: 'en-GB' })
  await page.request.post('/trpc/auth.enterDemo', {
    data: { email: 'provider@demo.example' },
    headers: { origin: site },
  })
  await page.goto('/dochome')
  await settle(page)
  const banner = page.getByRole('button', { name: 'Only necessary' })
  await banner.click()
  await banner.waitFor({ state: 'hidden' })
  await settle(page)
  for (const picture of PICTURES) {
    const bytes = await take(page, picture)
    console.log(`${(bytes / 1000).toFixed(0).padStart(4)} kB  ${picture.name}`)
  }
  return 0
}

await runCommand(TOOLS['docs:pictures'], ({ words: [site] }) => main(site))
