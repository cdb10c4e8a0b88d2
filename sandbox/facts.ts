import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Keys } from './keys.ts'

const Facts = z.object({
  port: z.int(),
  pid: z.int(),
  secretKey: z.string(),
  publishableKey: z.string(),
  webhookSecret: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookId: z.string(),
  control: z.string(),
})
/** What a running sandbox tells the app processes that share its data folder. */
export type Facts = z.infer<typeof Facts>

function factsPath(dataDir: string): string {
  return join(dataDir, 'sandbox.json')
}

/** Writes the file atomically, readable by its owner only. */
export async function writeFacts(dataDir: string, keys: Keys, port: number): Promise<void> {
  const { signingKey: _private, verifyingKey: _public, ...rest } = keys
  const facts: Facts = { ...rest, port, pid: process.pid }
  const draft = `${factsPath(dataDir)}.${process.pid}`
  await writeFile(draft, JSON.stringify(facts), { mode: 0o600 })
  await chmod(draft, 0o600)
  await rename(draft, factsPath(dataDir))
}

/** Null when the file does not exist or cannot be read. */
export async function readFacts(dataDir: string): Promise<Facts | null> {
  try {
    return Facts.parse(JSON.parse(await readFile(factsPath(dataDir), 'utf8')))
  } catch {
    return null
  }
}
