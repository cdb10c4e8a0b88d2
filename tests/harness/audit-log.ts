import { join } from 'node:path'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { logAuditHead, sealAudit } from '#server/jobs/seal-audit.ts'
import { makeSecrets } from '#server/kernel/security/secrets.ts'
import { makeTestApp } from './test-app.ts'

/** Key that seals the audit log below. */
export const AUDIT_KEY = 'a key of thirty-two letters or so'

/** Writes an audit log to disk: five sealed rows and one not yet sealed. */
export async function auditLog(folder: string) {
  const database = openDatabase(`sqlite:${join(folder, 'apposite.db')}`)
  await migrateToLatest(database)
  const testApp = await makeTestApp({ database })
  testApp.services.secrets = makeSecrets(Buffer.from(AUDIT_KEY, 'utf8'))
  const ctx = testApp.context()
  const record = () => ctx.record({ action: 'call.denied', outcome: 'denied' })
  for (let count = 0; count < 5; count += 1) await record()
  await sealAudit(testApp.services)
  await logAuditHead(testApp.services)
  await record()
  const head = testApp.logged.find(({ msg }) => msg === 'the head of the audit log')
  return { database, head: [String(head?.['position']), String(head?.['seal'])] }
}
