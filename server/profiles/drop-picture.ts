import type { Services } from '#server/context.ts'
import { isShown } from './store.ts'

/** Removes the file of a picture, unless something shows it: the same bytes share one file. */
export async function dropPicture(services: Services, path: string): Promise<void> {
  await services.pictures.removeUnless(() => isShown(services.database.db, path), path)
}
