import type { OwnProfile, UpdateAboutInput } from '#contract/profiles-own.ts'
import { toJson } from '#db/columns.ts'
import type { SignedIn } from '#server/context.ts'
import { changeOwn } from './change-own.ts'
import { updateOwnProvider } from './own-store.ts'

/** Changes what a provider says about themselves. */
export function updateAbout(ctx: SignedIn, input: UpdateAboutInput): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action: 'profile.about_changed',
    work: (tx, { no }) =>
      updateOwnProvider(tx.db, no, {
        gender: input.gender ?? null,
        about: input.about,
        qualifications: toJson(input.qualifications),
        languages: toJson<string[]>([...new Set(input.languages)]),
        updated_at: ctx.now(),
      }),
  })
}
