import { Hono } from 'hono'
import type { ErrorCode } from '#contract/base/errors.ts'
import { accessFor } from '#contract/base/staff.ts'
import { GALLERY_PATH, IMAGE_MAX_BYTES, MODAL_IMAGE_PATH } from '#contract/gallery.ts'
import { PHOTO_MAX_BYTES, PHOTO_PATH } from '#contract/profiles.ts'
import { DOCUMENT_MAX_BYTES, DOCUMENT_PATH } from '#contract/verification.ts'
import { admit, asProvider, asSignedIn, asStaff, audited } from '#server/admission.ts'
import type { Context, SignedIn } from '#server/context.ts'
import { saveImage } from '#server/gallery/images.ts'
import type { Access } from '#server/kernel/access.ts'
import { AppError } from '#server/kernel/errors.ts'
import { setPhoto } from '#server/profiles/own-profile.ts'
import { saveDocument } from '#server/verification/company/company.ts'
import { methodNotAllowed } from './errors.ts'
import type { HttpEnv, Middleware } from './request-context.ts'
import { bareType, limitBody, readBytes, sameOrigin, session } from './route-guards.ts'

/** An upload endpoint: who may send which files, of what size, and how they are stored. */
type Upload = {
  path: string
  /** Who may upload, and under which conditions. */
  row: Access
  /** The refusal of something that is no file of this kind. */
  wrongType: ErrorCode
  /** In bytes. */
  max: number
  tooLarge: ErrorCode
  take(ctx: SignedIn, bytes: Buffer): Promise<object>
}

/** The picture of a patient's account or of a provider's profile. */
const photo: Upload = {
  path: PHOTO_PATH,
  row: { may: ['patient', 'provider'], limit: 'upload' },
  wrongType: 'image_type',
  max: PHOTO_MAX_BYTES,
  tooLarge: 'image_too_large',
  take: setPhoto,
}

/** The document that proves a provider's company. */
const companyDocument: Upload = {
  path: DOCUMENT_PATH,
  row: { may: ['provider'], limit: 'upload' },
  wrongType: 'document_type',
  max: DOCUMENT_MAX_BYTES,
  tooLarge: 'document_too_large',
  take: (ctx, bytes) => saveDocument(asProvider(ctx), bytes),
}

function imageOf(purpose: 'gallery' | 'modal'): Pick<Upload, 'take'> {
  return { take: (ctx, bytes) => saveImage(asStaff(ctx), { bytes, purpose }) }
}

const image = {
  wrongType: 'image_type',
  max: IMAGE_MAX_BYTES,
  tooLarge: 'image_too_large',
} as const

/** Images the homepage may show. */
const galleryImage: Upload = {
  ...image,
  path: GALLERY_PATH,
  row: { ...accessFor('upload'), limit: 'gallery_upload' },
  ...imageOf('gallery'),
}

/** The image of the homepage's notice; saved together with its text. */
const modalImage: Upload = {
  ...image,
  path: MODAL_IMAGE_PATH,
  row: { ...accessFor('publish'), limit: 'gallery_upload' },
  ...imageOf('modal'),
}

/** Every upload endpoint. */
export const uploads: readonly Upload[] = [photo, companyDocument, galleryImage, modalImage]

/** The upload endpoint at a path. */
export function uploadAt(path: string): Upload {
  const upload = uploads.find((one) => one.path === path)
  if (upload === undefined) throw new Error(`There is no upload endpoint at ${path}`)
  return upload
}

/** Admits an upload with the same checks as a procedure. Throws the refusal. */
export function admitUpload(ctx: Context, { path, row }: Upload): SignedIn {
  admit(ctx, path, row)
  return asSignedIn(ctx)
}

/**
 * Content types that a file may be sent under. Its first bytes decide: programs send `image/jpg`, the type that a
 * renamed file's extension stands for, or none.
 */
const FILE_TYPES = /^(?:image\/.+|application\/(?:x-)?pdf|(?:application|binary)\/octet-stream|)$/

/** Refuses what says it is not a file, before it is read. */
export function assertType({ wrongType }: Upload, type: string): void {
  if (!FILE_TYPES.test(type)) throw new AppError(wrongType)
}

/** Refuses callers without permission and wrong file types before the body is read. */
function admitted(upload: Upload): Middleware {
  return async (c, next) => {
    await audited(c.var.ctx, upload.path, () => admitUpload(c.var.ctx, upload))
    assertType(upload, bareType(c.req.header('content-type')))
    await next()
  }
}

function storeUpload(upload: Upload): Middleware {
  return async (c) => {
    const answer = await upload.take(asSignedIn(c.var.ctx), await readBytes(c))
    return c.json(answer, 201)
  }
}

/** The upload endpoints: the body of a request is the file itself. */
export function uploadRoutes(): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  for (const upload of uploads) {
    const { path, max, tooLarge } = upload
    const limited = limitBody(max, tooLarge)
    routes.post(path, sameOrigin, session, admitted(upload), limited, storeUpload(upload))
    routes.all(path, methodNotAllowed('POST'))
  }
  return routes
}
