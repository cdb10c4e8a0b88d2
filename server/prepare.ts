import { join } from 'node:path'
import type { Database } from '#db/engine.ts'
import { migrateToLatest, newerMigrations, recordMinVersion, withStartLock } from '#db/migrate.ts'
import { DEMO_ACCOUNTS } from '#db/reference/demo.ts'
import { regenerateSlots } from './availability/slots/extend-slots.ts'
import { fingerprintOf, type Numbers, sealNumbers } from './bank-accounts/seal-numbers.ts'
import { makeDocuments } from './gateways/documents.ts'
import { type Config, ConfigError } from './kernel/config/config.ts'
import { videoServer } from './kernel/demo-mode.ts'
import { makePasswords } from './kernel/security/passwords.ts'
import {
  bankSecrets,
  makeSecrets,
  makeVault,
  readMasterKey,
  type Secrets,
} from './kernel/security/secrets.ts'
import {
  fingerprintOf as fingerprintOfAddress,
  sealAddress,
} from './outside-calendars/read-calendars.ts'
import { withdrawVideo } from './profiles/video-offer.ts'
import { reindexProviders } from './search/reindex.ts'

export type PrintLine = (line: string) => void

/** The folder of pictures, which are named by the hash of their content. */
export function mediaFolder(config: Config): string {
  return join(config.dataDir, 'media')
}

/** The folder of providers' documents, encrypted; no files are served from it. */
export function documentFolder(config: Config): string {
  return join(config.dataDir, 'documents')
}

async function migrateAndLoad(database: Database, config: Config, say: PrintLine): Promise<void> {
  const done = await migrateToLatest(database)
  const newer = await newerMigrations(database)
  if (newer.length > 0) {
    // The newer version has loaded its own reference data, which must not be overwritten.
    say(`Database: already on a newer version (${newer.at(-1)}), which also supports this one`)
    return
  }
  await recordMinVersion(database)
  if (done.length > 0) say(`Database: ${done.length} migrations applied`)
  const { loadReference } = await import('#db/geo/load.ts')
  await loadReference(database, say)
  if (config.geoDataDir !== null) {
    const { importFromFolder } = await import('#db/geo/import/from-folder.ts')
    await importFromFolder(database, config.geoDataDir, say)
  }
}

type Mode = 'demo' | 'real'

/** Key of the row that records, at the first start, what this database is for. */
const MODE_KEY = 'mode'

/** A real installation has rows in at least one of these tables after its first start. */
const TABLES_IN_USE = ['start_links', 'accounts', 'providers', 'audit', 'contact_messages'] as const

/** The mode of an unmarked database, judged by its contents; null when it is empty. */
async function modeByContent({ db }: Database): Promise<Mode | null> {
  const { readMeta } = await import('#demo/store.ts')
  if ((await readMeta(db, 'demo_seed')) !== undefined) return 'demo'
  for (const table of TABLES_IN_USE) {
    const row = await db
      .selectFrom(table)
      .select((of) => of.lit(1).as('one'))
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) return 'real'
  }
  return null
}

const REFUSALS: Record<Mode, string> = {
  demo: 'DATABASE_URL or DATA_DIR points to a database with demo data. A real installation needs its own.',
  real: 'DATABASE_URL or DATA_DIR points to the database of a real installation, but this is a demo. Set DEMO_MODE=off, or give the demo its own folder.',
}

/**
 * Marks a database permanently as demo or real at its first start. Real patients must never find generated
 * doctors, and a demo lets anybody in as staff, so each mode refuses the other's database.
 */
async function claimMode(database: Database, configured: Mode): Promise<void> {
  const { claimMeta, readMeta } = await import('#demo/store.ts')
  const mode = (await modeByContent(database)) ?? configured
  // On SQLite a transaction waits its turn, while a single statement does not.
  await database.transaction((db) => claimMeta(db, MODE_KEY, mode))
  const marked = await readMeta(database.db, MODE_KEY)
  if (marked !== configured)
    throw new ConfigError([REFUSALS[configured === 'demo' ? 'real' : 'demo']])
}

async function seedDemoBankAccounts(
  database: Database,
  config: Config,
  now: number,
): Promise<void> {
  const { seedBankAccounts } = await import('#demo/work/demo-payments.ts')
  const master = await readMasterKey(config)
  const services = {
    secrets: makeSecrets(master),
    vault: makeVault(bankSecrets(config, master)),
  }
  const seal = (of: { id: string; providerId: string }, numbers: Numbers) => {
    const { sealed, keyId } = sealNumbers(services, of, numbers)
    const fingerprint = fingerprintOf(services, of.providerId, numbers)
    return { sealed, key_id: keyId, fingerprint }
  }
  await seedBankAccounts(database, { now, seal })
}

async function seedDemoCalendar(database: Database, secrets: Secrets, now: number): Promise<void> {
  const { seedDesk, seedOutside } = await import('#demo/work/demo-calendar.ts')
  const seal = ({ id, providerId }: { id: string; providerId: string }, address: string) => ({
    sealed: sealAddress({ secrets }, id, address),
    fingerprint: fingerprintOfAddress({ secrets }, providerId, address),
  })
  await seedOutside(database, {
    now,
    seal,
    regenerate: regenerateSlots,
    reindex: reindexProviders,
  })
  const sealDetail = (text: string) => secrets.seal('desk', text)
  await seedDesk(database, { now, reindex: reindexProviders, seal: sealDetail })
}

async function seedDemoStaffWork(database: Database, config: Config, now: number): Promise<void> {
  const { seedStaffWork } = await import('#demo/work/demo-staff-work.ts')
  const { seedProofs } = await import('#demo/work/demo-proofs.ts')
  const secrets = makeSecrets(await readMasterKey(config))
  const documents = makeDocuments(documentFolder(config), secrets)
  await seedStaffWork(database, { now, keep: (paper) => documents.save(paper) })
  await seedProofs(database, { now, keep: (paper) => documents.save(paper) })
}

async function withdrawAtStart(
  database: Database,
  { now, say }: { now: number; say: PrintLine },
): Promise<void> {
  const withdrawn = await database.transaction(async (db) => {
    const providerNos = await withdrawVideo(db, now)
    if (providerNos.length > 0) await reindexProviders(db, now, providerNos)
    return providerNos
  })
  if (withdrawn.length === 0) return
  say(`Video visits: switched off for ${withdrawn.length} providers without a link of their own`)
}

/**
 * Prepares the database for serving. Several processes may start at once; one does the work and the others
 * wait for it. Returns whether this call generated the demo.
 */
export async function prepare(
  database: Database,
  config: Config,
  options: { now: number; say: PrintLine },
): Promise<boolean> {
  return withStartLock(config.databaseUrl, async () => {
    await migrateAndLoad(database, config, options.say)
    await claimMode(database, config.demo ? 'demo' : 'real')
    if (videoServer(config) === null) await withdrawAtStart(database, options)
    if (!config.demo) return false
    const { seedDemo } = await import('#demo/seed.ts')
    const isMade = await seedDemo(database, {
      now: options.now,
      mediaFolder: mediaFolder(config),
      reindex: reindexProviders,
      report: options.say,
    })
    const { seedAccounts, seedFavourites } = await import('#demo/people/accounts.ts')
    const passwords = makePasswords()
    const hash = (password: string) => passwords.hash(password)
    await seedAccounts(database, { now: options.now, hash })
    const { seedGallery } = await import('#demo/pictures/demo-gallery.ts')
    await seedGallery(database, { now: options.now, mediaFolder: mediaFolder(config) })
    const { seedSchedules } = await import('#demo/practice/slots.ts')
    await seedSchedules(database, {
      now: options.now,
      regenerate: regenerateSlots,
      reindex: reindexProviders,
    })
    const { seedVisitTypes } = await import('#demo/practice/visit-types.ts')
    await seedVisitTypes(database)
    const { seedRegisters } = await import('#demo/work/demo-registers.ts')
    await seedRegisters(database, { now: options.now })
    await seedDemoStaffWork(database, config, options.now)
    const { seedVisits } = await import('#demo/work/demo-visits.ts')
    await seedVisits(database, { now: options.now, reindex: reindexProviders })
    const changes = await import('#demo/work/demo-visit-changes.ts')
    const secrets = makeSecrets(await readMasterKey(config))
    const seal = (words: string) => secrets.seal('claim', words)
    await changes.seedOutcomes(database, { now: options.now, seal })
    await seedFavourites(database, { now: options.now })
    const { seedVideo } = await import('#demo/work/demo-video.ts')
    await seedVideo(database, { now: options.now, reindex: reindexProviders })
    const { seedFailedEmail, seedReminder } = await import('#demo/work/demo-emails.ts')
    await seedReminder(database, { now: options.now })
    await changes.seedMove(database, { now: options.now })
    await changes.seedProposal(database, { now: options.now })
    await changes.seedFlags(database, { now: options.now })
    await seedDemoCalendar(database, secrets, options.now)
    await seedFailedEmail(database, { now: options.now })
    const { seedDemoPayments } = await import('#demo/work/demo-payments.ts')
    await seedDemoPayments(database, { now: options.now })
    await seedDemoBankAccounts(database, config, options.now)
    return isMade
  })
}

function demoLines(address: string): string[] {
  const width = Math.max(...DEMO_ACCOUNTS.map(({ email }) => email.length))
  return [
    '',
    'Demo accounts, each with its mailbox:',
    ...DEMO_ACCOUNTS.map(
      ({ email, who }) =>
        `  ${email.padEnd(width)}  ${who}\n  ${' '.repeat(width)}  ${address}/demo/mailbox?to=${email}`,
    ),
  ]
}

/** The lines printed once the server is ready: its address and, in a demo, the accounts. */
export function welcome(config: Config, port: number): string[] {
  if (!config.demo) return [`Serving ${config.publicUrl} on ${config.host}:${port}`]
  const address = config.port === port ? config.publicUrl : `http://localhost:${port}`
  return [`Apposite is ready: ${address}`, ...demoLines(address)]
}
