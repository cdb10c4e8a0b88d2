import type { Me } from '#contract/auth.ts'
import { ProviderId, UserId } from '#contract/ids.ts'
import { DEFAULT_RADIUS, RADII } from '#contract/search.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import type { Context } from '#server/context.ts'
import { type Account, findProviderOf, getAccount } from './account-store.ts'
import { mustHaveSecondFactor } from './rules.ts'

function radiusOf(account: Account): Me['default_radius'] {
  return RADII.find((radius) => radius === account.default_radius) ?? DEFAULT_RADIUS
}

/** An account as its owner's pages need it; `steppedUpUntil` is of the session asking. */
export async function readMe(
  ctx: Context,
  db: Db,
  of: { accountNo: number; steppedUpUntil: number | null },
): Promise<Me> {
  const account = await getAccount(db, of.accountNo)
  const provider =
    account.provider_no === null ? undefined : await findProviderOf(db, account.provider_no)
  const isSteppedUp = of.steppedUpUntil !== null && of.steppedUpUntil > ctx.now()
  return {
    user_id: UserId.parse(account.id),
    kind: account.kind,
    role: account.role,
    first_name: account.first_name,
    last_name: account.last_name,
    email: account.email,
    phone_number: account.phone_number,
    profile_image: provider?.photo ?? account.profile_image,
    default_radius: radiusOf(account),
    has_second_factor: account.totp_confirmed_at !== null,
    must_set_second_factor:
      account.totp_confirmed_at === null && mustHaveSecondFactor(account.kind, ctx.config.demo),
    must_change_password: account.must_change_password === 1,
    stepped_up_until: isSteppedUp ? toIso(of.steppedUpUntil ?? 0) : null,
    provider:
      provider === undefined
        ? null
        : {
            provider_id: ProviderId.parse(provider.id),
            region: provider.region,
            verification_status: provider.verification_status,
          },
  }
}

/** The answer of `me`: null for a visitor. */
export async function readOwn(ctx: Context): Promise<Me | null> {
  const { session } = ctx
  return session === null ? null : readMe(ctx, ctx.database.db, session)
}
