import { mkdir } from 'node:fs/promises'
import { copyData, currentSite, untouched } from './site.ts'

/** Copies the data before the first test, so that a retry starts from the same data. */
export default async function keepData(): Promise<void> {
  await mkdir(untouched())
  await copyData(currentSite().dataDir, untouched())
}
