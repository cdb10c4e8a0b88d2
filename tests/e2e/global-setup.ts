import { mkdir } from 'node:fs/promises'
import { copyData, currentSite, untouchedData } from './site.ts'

/** Copies the data before the first test, so that a retry starts from the same data. */
export default async function saveUntouchedData(): Promise<void> {
  await mkdir(untouchedData())
  await copyData(currentSite().dataDir, untouchedData())
}
