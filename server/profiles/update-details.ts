import type { PatientDetails, UpdateDetailsInput } from '#contract/profiles.ts'
import { DEFAULT_RADIUS, RADII } from '#contract/search.ts'
import { changeAccount } from '#server/auth/change-account.ts'
import { assertBirthday } from '#server/auth/rules.ts'
import type { SignedIn } from '#server/context.ts'
import { getDetails } from './store.ts'

/** What a patient's own page shows. */
export async function readDetails(ctx: SignedIn): Promise<PatientDetails> {
  const row = await getDetails(ctx.database.db, ctx.session.accountNo)
  return {
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone_number: row.phone_number,
    date_of_birth: row.date_of_birth,
    profile_image: row.profile_image,
    default_radius: RADII.find((radius) => radius === row.default_radius) ?? DEFAULT_RADIUS,
  }
}

/** Changes a patient's own details; address and password have ways of their own. */
export async function updateDetails(
  ctx: SignedIn,
  input: UpdateDetailsInput,
): Promise<PatientDetails> {
  const { date_of_birth: birthday, ...rest } = input
  if (birthday !== undefined) assertBirthday(birthday, ctx.now())
  await ctx.transaction(async (tx) => {
    await changeAccount(tx, ctx.session.accountNo, {
      ...rest,
      ...(birthday === undefined ? {} : { date_of_birth: birthday }),
      now: ctx.now(),
    })
    await tx.audit.add({ action: 'account.details_changed', entity: ctx.session.userId })
  })
  return readDetails(ctx)
}
