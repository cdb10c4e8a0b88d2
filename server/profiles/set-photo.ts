import type { Done } from '#contract/auth.ts'
import type { PhotoResponse } from '#contract/profiles.ts'
import { changeAccount } from '#server/auth/accounts/change-account.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { getDetails, isShown, setPhotoOf } from './store.ts'

/** Replaces the picture and removes the old file once nothing shows it. */
async function replacePhoto(ctx: SignedIn, photo: string | null): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = ctx.now()
    const { accountNo, userId } = ctx.session
    const before = await getDetails(tx.db, accountNo)
    const isProvider = before.provider_no !== null
    await changeAccount(tx, accountNo, isProvider ? { now } : { profile_image: photo, now })
    if (before.provider_no !== null) await setPhotoOf(tx.db, before.provider_no, { photo, now })
    const old = before.provider_no === null ? before.profile_image : before.photo
    if (old !== null && old !== photo) await tx.outbox.add('picture.dropped', { path: old })
    const action = photo === null ? 'photo.removed' : 'photo.uploaded'
    await tx.audit.add({ action, entity: userId })
  })
}

/** Re-encodes an uploaded picture and makes it the viewer's; for a provider, the profile's. */
export async function setPhoto(ctx: SignedIn, upload: Uint8Array): Promise<PhotoResponse> {
  const path = await ctx.pictures.savePortrait(upload)
  try {
    await replacePhoto(ctx, path)
  } catch (error) {
    await dropPicture(ctx, path)
    throw error
  }
  return { status: true, profile_image: path }
}

export async function removePhoto(ctx: SignedIn): Promise<Done> {
  await replacePhoto(ctx, null)
  return { status: true }
}

/** Removes a picture's file unless something still shows it: identical pictures share one file. */
export async function dropPicture(services: Services, path: string): Promise<void> {
  await services.pictures.removeUnless(() => isShown(services.database.db, path), path)
}
