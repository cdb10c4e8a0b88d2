import type { ErrorCode } from '#contract/errors.ts'
import { GALLERY_PATH, IMAGE_MAX, IMAGE_TYPES, MODAL_IMAGE_PATH } from '#contract/gallery-staff.ts'
import { PHOTO_MAX, PHOTO_PATH, PHOTO_TYPES } from '#contract/profiles.ts'
import { type StaffAct, whoMay } from '#contract/staff.ts'
import { DOCUMENT_MAX, DOCUMENT_PATH, DOCUMENT_TYPES } from '#contract/verification.ts'
import type { Context, Session, SignedIn } from './context.ts'
import { keepImage } from './gallery/keep-image.ts'
import { AppError } from './kernel/errors.ts'
import { type LimitName, spend } from './kernel/rate-limit.ts'
import { assertAlive, assertScope } from './kernel/token-scopes.ts'
import { setPhoto } from './profiles/set-photo.ts'
import { keepDocument } from './verification/keep-document.ts'

/** A door for files: whose, of which types, how large, and what becomes of them. */
export type Upload = {
  path: string
  may: readonly Session['kind'][]
  /** What staff do by it, where staff may. */
  act?: StaffAct
  limit: LimitName
  types: ReadonlySet<string>
  wrongType: ErrorCode
  /** Bytes. */
  max: number
  tooLarge: ErrorCode
  take(ctx: SignedIn, bytes: Buffer): Promise<object>
}

/** The picture of a patient's account or of a provider's profile. */
const photo: Upload = {
  path: PHOTO_PATH,
  may: ['patient', 'provider'],
  limit: 'upload',
  types: new Set(PHOTO_TYPES),
  wrongType: 'image_type',
  max: PHOTO_MAX,
  tooLarge: 'image_too_large',
  take: setPhoto,
}

/** The paper by which a provider's company is checked. */
const companyDocument: Upload = {
  path: DOCUMENT_PATH,
  may: ['provider'],
  limit: 'upload',
  types: new Set(DOCUMENT_TYPES),
  wrongType: 'document_type',
  max: DOCUMENT_MAX,
  tooLarge: 'document_too_large',
  take(ctx, bytes) {
    const { viewer } = ctx
    if (viewer.kind !== 'provider') throw new AppError('forbidden')
    return keepDocument({ ...ctx, viewer }, bytes)
  },
}

function imageDoor(purpose: 'gallery' | 'modal'): Pick<Upload, 'take'> {
  return {
    take(ctx, bytes) {
      const { viewer } = ctx
      if (viewer.kind !== 'staff') throw new AppError('forbidden')
      return keepImage({ ...ctx, viewer }, { bytes, purpose })
    },
  }
}

const image = {
  may: ['staff'],
  limit: 'gallery_upload',
  types: new Set(IMAGE_TYPES),
  wrongType: 'image_type',
  max: IMAGE_MAX,
  tooLarge: 'image_too_large',
} as const

/** Images the homepage may show. */
const galleryImage: Upload = {
  ...image,
  path: GALLERY_PATH,
  act: 'upload',
  ...imageDoor('gallery'),
}

/** The image of the homepage's notice; saved with its words. */
const modalImage: Upload = {
  ...image,
  path: MODAL_IMAGE_PATH,
  act: 'publish',
  ...imageDoor('modal'),
}

/** Every door for files, mounted by `http.ts`. */
export const uploads: readonly Upload[] = [photo, companyDocument, galleryImage, modalImage]

function refuseUnlessAllowed({ may, act }: Upload, { viewer, session }: SignedIn): void {
  const who = act === undefined ? null : whoMay(act)
  const isAllowed =
    viewer.kind === 'staff' ? who?.may.includes(viewer.role) === true : may.includes(session.kind)
  if (!isAllowed) throw new AppError(who?.refusal ?? 'forbidden')
}

/** The door at a path. */
export function doorAt(path: string): Upload {
  const door = uploads.find((one) => one.path === path)
  if (door === undefined) throw new Error(`There is no door at ${path}`)
  return door
}

/** Who uploads; the same refusals in the same order as in front of a procedure. */
export function enterDoor(ctx: Context, upload: Upload): SignedIn {
  const { session } = ctx
  spend(ctx, 'all')
  assertAlive(ctx.token)
  if (session === null) throw new AppError('sign_in_required')
  refuseUnlessAllowed(upload, { ...ctx, session })
  assertScope(ctx.token, upload.path)
  if (session.mustChangePassword) throw new AppError('password_change_required')
  if (session.mustSetSecondFactor) throw new AppError('second_factor_setup_required')
  spend(ctx, upload.limit)
  return { ...ctx, session }
}

/** A content type without what may follow it. */
export function bareType(type: string | null): string {
  return type?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Refuses a file of a type the door does not take, before anybody reads it. */
export function assertType({ types, wrongType }: Upload, type: string): void {
  if (!types.has(type)) throw new AppError(wrongType)
}
