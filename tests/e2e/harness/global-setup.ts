import { mkdir, rm } from 'node:fs/promises'
import { copyData, currentSite, untouchedData } from './site.ts'

/**
 * Copies the data before the first test, so that a retry starts from the same data. Returns what Playwright
 * runs after the last test: it removes the server's data folder.
 */
export default async function saveUntouchedData(): Promise<() => Promise<void>> {
  const { dataDir } = currentSite()
  await mkdir(untouchedData())
  await copyData(dataDir, untouchedData())
  return () => rm(dataDir, { recursive: true, force: true })
}
