import type { Db } from '#db/engine.ts'
import { listOf } from './store.ts'

/** Whether a provider has said where they want to be paid; their accounts are not looked at. */
export async function hasBankAccount(db: Db, providerNo: number): Promise<boolean> {
  return (await listOf(db, providerNo)).length > 0
}
