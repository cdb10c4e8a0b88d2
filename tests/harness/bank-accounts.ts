import type { Browser } from './browser.ts'

/** Account numbers that belong to nobody: digits of pi and e, in formats that pass the checks. */
export const ukAccount = {
  region: 'uk',
  name: 'Dr Amara Okafor',
  sort_code: '12-34-56',
  account_number: '31415926',
} as const

export const usAccount = {
  region: 'usa',
  name: 'Live Oak Family Medicine',
  routing_number: '111000025',
  account_number: '271828182845',
  account_type: 'checking',
} as const

/** Idempotency key of a newly opened form. */
export function newKey(): string {
  return crypto.randomUUID()
}

/** Adds accounts one after the other, which differ in their last two digits. Returns their ids. */
export async function addAccounts(browser: Browser, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const account_number = `314159${String(10 + at)}`
    const input = { ...ukAccount, key: newKey(), name: `Account ${at + 1}`, account_number }
    const { data, message } = await browser.act('bankAccounts.add', input)
    if (typeof data !== 'object' || data === null || !('id' in data)) throw new Error(`${message}`)
    ids.push(String(data.id))
  }
  return ids
}
