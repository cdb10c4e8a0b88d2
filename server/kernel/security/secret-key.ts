import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/kernel/config/config.ts'

const FILE = 'secret.key'
const KEY_BYTES = 32

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Two processes may start at once: the file is created atomically, and the first one wins. */
async function createOnce(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `${FILE}.${process.pid}.${randomBytes(4).toString('hex')}`)
  await writeFile(draft, randomBytes(KEY_BYTES).toString('base64url'), { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (!isTaken(error)) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The master key: SECRET_KEY or, in a demo without one, a key generated once and stored in the data folder,
 * readable by its owner only.
 */
export async function readMasterKey(config: Config): Promise<Uint8Array> {
  if (config.secretKey !== null) return Buffer.from(config.secretKey, 'utf8')
  const file = join(config.dataDir, FILE)
  const read = () => readFile(file, 'utf8').catch(() => null)
  let text = await read()
  if (text === null) {
    await createOnce(config.dataDir, file)
    text = await read()
  }
  const key = Buffer.from(text ?? '', 'base64url')
  if (key.length !== KEY_BYTES) throw new Error(`${file} is not a key. Remove it to get a new one.`)
  return key
}

/**
 * The encryption keys of bank accounts, newest first. The master key stays last, so that accounts encrypted
 * before there were other keys can still be decrypted.
 */
export function bankSecrets(
  { bankKeys }: Pick<Config, 'bankKeys'>,
  master: Uint8Array,
): [Uint8Array, ...Uint8Array[]] {
  const [first, ...rest] = bankKeys.map((key) => Buffer.from(key, 'utf8'))
  return first === undefined ? [master] : [first, ...rest, master]
}
