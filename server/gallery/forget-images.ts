import { type Services, systemContext, type Tx } from '#server/context.ts'
import { deleteUnneeded } from './image-store.ts'
import { lockHomepage } from './store.ts'

/** An image for the modal that was uploaded and never saved is forgotten after that. */
const UNSENT_MS = 60 * 60_000

/** Forgets images nobody can come back to; call it with the homepage locked. */
export async function dropUnneeded(tx: Tx, now: number): Promise<void> {
  for (const path of await deleteUnneeded(tx.db, now - UNSENT_MS)) {
    await tx.outbox.add('picture.dropped', { path })
  }
}

/** Forgets images for a modal that was never saved, and what half-written files there are. */
export async function forgetImages(services: Services): Promise<void> {
  const ctx = systemContext(services, 'forget-images')
  await ctx.transaction(async (tx) => {
    await lockHomepage(tx.db)
    await dropUnneeded(tx, ctx.now())
  })
  await services.pictures.sweep(ctx.now())
}
