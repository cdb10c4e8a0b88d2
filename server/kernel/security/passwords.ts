import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AppError } from '#server/kernel/errors.ts'
import { Semaphore } from '#server/kernel/limits/semaphore.ts'

/** OWASP's minimum, and ours: 19 MiB, two passes, one lane; about 45 ms of one core. */
const USUAL_COST = { memory: 19_456, passes: 2 }
const LANES = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Concurrent hashes on the thread pool; more would delay file access and DNS. */
const RUNNING = 2
/** Maximum waiters of one site; further calls throw `rate_limited`. */
const WAITING = 8
/** Maximum waiters of all sites together: about a second and a half on two cores. */
const WAITING_IN_ALL = 64

export type Passwords = {
  /**
   * A PHC string with a new salt. Sites (`serverUrl` a network) take turns; throws `rate_limited` when too many
   * are waiting, affecting the site with the most waiters first.
   */
  hash(password: string, site?: string): Promise<string>
  /**
   * Whether a password matches the PHC string that `find` returns; `find` runs when the queue reaches this
   * call. Null means no such account: it takes the same time and never matches. Waits and throws as `hash`
   * does.
   */
  verify(password: string, find: () => Promise<string | null>, site?: string): Promise<boolean>
}

/** Memory in kibibytes, and the number of passes. */
type Cost = { memory: number; passes: number }

type Recipe = Cost & {
  parallelism: number
  nonce: Buffer
  tagLength: number
}

/** Unicode normalization: the same letters typed on different keyboards are the same password. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}

function derive(password: string, recipe: Recipe): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: bytesOf(password), ...recipe }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

function phcString(recipe: Recipe, key: Uint8Array): string {
  const { memory, passes, parallelism, nonce } = recipe
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(key)}`
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parsePhc(phc: string): { recipe: Recipe; key: Buffer } {
  const [, memory, passes, parallelism, nonce = '', key = ''] = PHC.exec(phc) ?? []
  if (memory === undefined) throw new Error('A stored password is not a PHC string.')
  const expected = Buffer.from(key, 'base64')
  return {
    key: expected,
    recipe: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      nonce: Buffer.from(nonce, 'base64'),
      tagLength: expected.length,
    },
  }
}

function freshRecipe(cost: Cost): Recipe {
  return {
    ...cost,
    parallelism: LANES,
    nonce: randomBytes(SALT_BYTES),
    tagLength: HASH_BYTES,
  }
}

/**
 * The password hasher of a process: argon2id off the main thread, behind a bounded queue. Only tests pass a
 * cost, a low one.
 */
export function makePasswords(cost: Cost = USUAL_COST): Passwords {
  const semaphore = new Semaphore({
    running: RUNNING,
    waiting: WAITING,
    waitingInAll: WAITING_IN_ALL,
  })
  const dummyHash = phcString(freshRecipe(cost), randomBytes(HASH_BYTES))
  return {
    hash: (password, site) =>
      semaphore.pass(async () => {
        const recipe = freshRecipe(cost)
        return phcString(recipe, await derive(password, recipe))
      }, site),
    verify: (password, find, site) =>
      semaphore.pass(async () => {
        const phc = await find()
        const { recipe, key } = parsePhc(phc ?? dummyHash)
        const derived = await derive(password, recipe)
        return timingSafeEqual(derived, key) && phc !== null
      }, site),
  }
}

let common: ReadonlySet<string> | undefined

/** Whether a password is among the most common ones, ignoring case. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return common.has(password.normalize('NFKC').toLowerCase())
}

/** Refuses the most common passwords and the account's own address, as an issue of the field. */
export function refuseGuessablePassword(
  password: string,
  { field, email }: { field: string; email: string },
): void {
  const isAddress = password.normalize('NFKC').trim().toLowerCase() === email.toLowerCase()
  if (!isAddress && !isCommonPassword(password)) return
  const message = isAddress
    ? 'Choose a password that is not your email address.'
    : 'This is one of the most common passwords. Choose another one.'
  throw new AppError('invalid_input', {}, { issues: [{ path: field, message }] })
}
