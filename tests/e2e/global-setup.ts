import { mkdir } from 'node:fs/promises'
import { copyData, currentSite, untouched } from './site.ts'

/** Keeps the data as they are before the first test: a second try begins with them, too. */
export default async function keepData(): Promise<void> {
  await mkdir(untouched())
  await copyData(currentSite().dataDir, untouched())
}
