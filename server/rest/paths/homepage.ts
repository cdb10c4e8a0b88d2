import * as z from 'zod/mini'
import {
  GALLERY_PATH,
  HOMEPAGE_ID,
  Homepage,
  MODAL_IMAGE_PATH,
  PublishColorInput,
  PublishImageInput,
  PublishModalInput,
} from '#contract/gallery.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  type BodyKind,
  Flag,
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'
import { Picture, UploadedFile, uploadImage } from '#server/rest/read-request.ts'

const room = 'Homepage'

/** The homepage is a single record with a fixed id. */
function assertHomepage(id: string | undefined): void {
  if (id !== HOMEPAGE_ID) throw new AppError('not_found')
}

const shown = {
  image_url: '/media/….webp',
  color: '#ffffff',
  modal_image: null,
  show_modal: false,
  modal_heading: '',
  modal_description: '',
}

const read = restCall({
  method: 'GET',
  path: '/homepage-image/{id}/',
  room,
  title: 'Read the homepage',
  about: `Its image, colour and modal. The id is always ${HOMEPAGE_ID}.`,
  procedures: ['gallery.homepage'],
  cache: 'no-cache',
  example: { params: { id: HOMEPAGE_ID }, answer: { status: true, ...shown } },
  query: noQuery,
  body: noBody,
  answer: z.object({ status: z.literal(true), ...Homepage.shape }),
  run: async ({ caller, params }) => {
    assertHomepage(params['id'])
    return { ...OK, ...(await caller.gallery.homepage({})) }
  },
})

const modal = PublishModalInput.shape

/** Fields of the modal form; browsers send an empty file when none was chosen. */
const ModalForm = z.strictObject({
  modal_heading: modal.modal_heading,
  modal_description: modal.modal_description,
  show_modal: z._default(Flag, false),
  modal_image: z.optional(z.union([Picture, z.string().check(z.maxLength(200))])),
})

const Published = z.strictObject({
  color: z.optional(PublishColorInput.shape.color),
  image_url: z.optional(PublishImageInput.shape.image_url),
})

const ChangeBody: Partial<Record<BodyKind, typeof Published | typeof ModalForm>> = {
  json: Published,
  form: ModalForm,
}

async function modalImage(
  ctx: Context,
  given: z.infer<typeof ModalForm>['modal_image'],
): Promise<{ modal_image?: string }> {
  if (given instanceof UploadedFile) {
    if (given.bytes.length === 0) return {}
    return { modal_image: await uploadImage(ctx, MODAL_IMAGE_PATH, given) }
  }
  return given === undefined || given === '' ? {} : { modal_image: given }
}

const change = restCall({
  method: 'POST',
  path: '/homepage-image/{id}/',
  room,
  title: 'Change the homepage',
  about:
    'Three kinds of change at one path. As a form: `modal_heading`, `modal_description`, `show_modal` and the file `modal_image` of the modal; without it the image stays. As JSON `{color}`: `#rrggbb`, or one of the named colours. As JSON `{image_url}`: one of the gallery. Any of the last twenty versions can be restored.',
  procedures: ['gallery.publishModal', 'gallery.publishColor', 'gallery.publishImage'],
  refusals: [
    'color_invalid',
    'image_not_in_gallery',
    'image_type',
    'image_heic',
    'image_too_large',
  ],
  words: ['message', 'detail'],
  isComposite: true,
  example: {
    as: 'staff',
    params: { id: HOMEPAGE_ID },
    body: { color: '#f4f1ea' },
    answer: { status: true, message: 'Homepage color updated!', ...shown, color: '#f4f1ea' },
  },
  query: noQuery,
  body: ChangeBody,
  answer: z.object({ ...okFields, ...Homepage.shape }),
  run: async ({ ctx, caller, params, body }) => {
    assertHomepage(params['id'])
    if ('modal_heading' in body) {
      const { modal_image: image, ...words } = body
      const input = { ...words, ...(await modalImage(ctx, image)) }
      return {
        ...(await caller.gallery.publishModal(input)),
        ...okMessage('Modal settings updated!'),
      }
    }
    const { color, image_url } = body
    if ((color === undefined) === (image_url === undefined)) {
      const issues = [{ path: 'color', message: 'Send a color or an image_url.' }]
      throw new AppError('invalid_input', {}, { issues })
    }
    if (color !== undefined) {
      const state = await caller.gallery.publishColor({ color })
      return { ...state, ...okMessage('Homepage color updated!') }
    }
    const state = await caller.gallery.publishImage({ image_url: image_url ?? '' })
    return { ...state, ...okMessage('Homepage image updated!') }
  },
})

const Image = z.object({ _id: z.string(), image_url: z.string(), alt: z.string() })

const gallery = restCall({
  method: 'GET',
  path: '/admin-gallery/{id}/',
  room,
  title: 'List the gallery',
  about: 'Every image the homepage may show, the newest first.',
  procedures: ['gallery.images'],
  example: {
    as: 'staff',
    params: { id: HOMEPAGE_ID },
    answer: [{ _id: 'img_…', image_url: '/media/….webp', alt: '' }],
  },
  query: noQuery,
  body: noBody,
  answer: z.array(Image),
  run: async ({ caller, params }) => {
    assertHomepage(params['id'])
    const { images } = await caller.gallery.images({})
    return images.map(({ id, image_url, alt }) => ({ _id: id, image_url, alt }))
  },
})

const upload = restCall({
  method: 'POST',
  path: '/admin-gallery/{id}/',
  room,
  title: 'Add an image to the gallery',
  about:
    'A form with the file `image`: JPEG, PNG, WebP or AVIF, at most 5 MB and 25 megapixels. We re-encode it, so metadata in the file is removed.',
  procedures: ['gallery.images'],
  status: 201,
  refusals: [
    'image_type',
    'image_heic',
    'image_too_large',
    'image_too_many_pixels',
    'image_damaged',
    'image_animated',
    'gallery_full',
  ],
  words: ['message', 'detail'],
  isComposite: true,
  endpointFor: () => GALLERY_PATH,
  example: {
    as: 'staff',
    params: { id: HOMEPAGE_ID },
    before: ['curl -s -o picture.webp "$BASE$PICTURE"'],
    files: { image: 'picture.webp' },
    answer: {
      status: true,
      message: 'Image uploaded successfully: /media/….webp',
      image_url: '/media/….webp',
    },
  },
  query: noQuery,
  body: { form: z.strictObject({ image: Picture }) },
  answer: z.object({ ...okFields, image_url: z.string() }),
  run: async ({ ctx, params, body }) => {
    assertHomepage(params['id'])
    const image_url = await uploadImage(ctx, GALLERY_PATH, body.image)
    return { ...okMessage(`Image uploaded successfully: ${image_url}`), image_url }
  },
})

/** The homepage's content and its gallery. */
export const homepageCalls: readonly RestCall[] = [read, change, gallery, upload]
