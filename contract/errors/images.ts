import type { ErrorTable } from './error-table.ts'

/** Pictures, the gallery and the homepage. */
export const imagesErrors = {
  image_type: { status: 'UNSUPPORTED_MEDIA_TYPE', text: 'Upload a JPEG, PNG or WebP image.' },
  image_heic: {
    status: 'UNSUPPORTED_MEDIA_TYPE',
    text: 'This is a HEIC photo. Export or save it as a JPEG in your photos app, and upload that. For new photos, choose “Most Compatible” in the iPhone’s camera formats.',
  },
  image_too_large: { status: 'PAYLOAD_TOO_LARGE', text: 'Image must be 5 MB or smaller.' },
  image_too_many_pixels: {
    status: 'UNPROCESSABLE_CONTENT',
    text: 'Image is too large (25 megapixels at most).',
  },
  image_damaged: { status: 'UNPROCESSABLE_CONTENT', text: 'This image is damaged.' },
  image_animated: {
    status: 'UNPROCESSABLE_CONTENT',
    text: 'Upload a still image, not an animation.',
  },
  image_not_in_gallery: { status: 'BAD_REQUEST', text: 'Choose an image from the gallery.' },
  image_in_use: {
    status: 'CONFLICT',
    text: 'This image is on the homepage. Choose another one for the homepage first.',
  },
  color_invalid: {
    status: 'BAD_REQUEST',
    text: 'Choose a colour such as #0b6b5b, or one of the named ones.',
  },
  gallery_full: {
    status: 'CONFLICT',
    text: 'You’ve reached your account’s limit of 50 images or 100 MB. Remove one first.',
  },
  homepage_changed: {
    status: 'CONFLICT',
    text: 'Someone else has changed this since you opened it. Check it again, then save. What you typed is still here.',
  },
} as const satisfies ErrorTable
