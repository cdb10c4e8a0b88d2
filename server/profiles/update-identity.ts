import { bodyFacts, bodyOfRegion } from '#contract/profiles.ts'
import { type OwnProfile, titlesOf, type UpdateIdentityInput } from '#contract/profiles-own.ts'
import type { Region } from '#contract/region.ts'
import { changeAccount } from '#server/auth/change-account.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeOwn } from './change-own.ts'
import { restartStanding, updateOwnProvider } from './own-store.ts'
import { isSameClaim, specialtyNo } from './rules.ts'

function assertOfRegion(region: Region, input: UpdateIdentityInput): void {
  const { professional_body_name: body } = input.registed_with
  const issues = []
  if (bodyFacts[body].region !== region) {
    const path = 'registed_with.professional_body_name'
    issues.push({ path, message: bodyOfRegion[region] })
  }
  if (input.title !== null && !titlesOf[region].some((title) => title === input.title)) {
    issues.push({ path: 'title', message: 'Choose one of the titles.' })
  }
  if (issues.length > 0) throw new AppError('invalid_input', {}, { issues })
}

/**
 * Changes title, name, specialty or registration. Whoever was Verified as somebody else leaves the
 * search until they have been checked again, and has to say first that they know.
 */
export function updateIdentity(ctx: SignedIn, input: UpdateIdentityInput): Promise<OwnProfile> {
  const { professional_body_name: body, membership_number: number } = input.registed_with
  const claim = {
    first_name: input.first_name,
    last_name: input.last_name,
    specialty_no: specialtyNo(input.specialty),
    professional_body: body,
    membership_number: number,
  }
  return changeOwn(ctx, {
    action: 'profile.identity_changed',
    work: async (tx, before) => {
      assertOfRegion(before.region, input)
      const isSame = isSameClaim(before, claim)
      const wasVerified = before.verification_status === 'Verified'
      if (wasVerified && !isSame && !input.confirmed) throw new AppError('profile_needs_check')
      const now = ctx.now()
      const unverified = { verification_status: 'Unverified', verified_at: null } as const
      await updateOwnProvider(tx.db, before.no, {
        ...claim,
        title: input.title,
        updated_at: now,
        ...(isSame ? {} : unverified),
      })
      if (!isSame) await restartStanding(tx.db, before.no, now)
      const { first_name, last_name } = claim
      await changeAccount(tx, ctx.session.accountNo, { first_name, last_name, now })
    },
  })
}
