import type { StaffRole } from '#contract/staff.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import type { World } from '#tests/harness/world.ts'

/** One of the demo's staff in a browser and a network of their own, entered by the demo's door. */
export async function enterStaff(world: World, role: StaffRole): Promise<Browser> {
  const email = `${role}@demo.example`
  await makeAccount(world, { email, kind: 'staff', role, date_of_birth: null })
  const browser = new Browser(world, `10.0.3.${role.length}`)
  const { code } = await browser.act('auth.enterDemo', { email })
  if (code !== null) throw new Error(`The door is closed: ${code}`)
  return browser
}
