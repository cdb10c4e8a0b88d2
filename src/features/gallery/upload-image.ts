import { sendFile } from '#app/lib/send-file.ts'
import { IMAGE_MAX, IMAGE_TYPES, ImageAnswer } from '#contract/gallery-staff.ts'
import { sentenceFor } from '#contract/sentences.ts'

/** The server's own limit, so that a picture is not sent in vain. */
const MAX_PIXELS = 25_000_000

/** Its pixels, from its head: the browser need not unfold it for that. Null when it is no picture. */
function pixelsOf(address: string): Promise<number | null> {
  return new Promise((resolve) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image.naturalWidth * image.naturalHeight))
    image.addEventListener('error', () => resolve(null))
    image.src = address
  })
}

/**
 * What is wrong with a file before it is sent, in the server's words; null when it may be tried.
 * `address` is where the page shows it from.
 */
export async function whyNotImage(file: File, address: string): Promise<string | null> {
  if (!IMAGE_TYPES.some((type) => type === file.type)) return sentenceFor('image_type')
  if (file.size > IMAGE_MAX) return sentenceFor('image_too_large')
  const pixels = await pixelsOf(address)
  if (pixels === null) return sentenceFor('image_damaged')
  return pixels > MAX_PIXELS ? sentenceFor('image_too_many_pixels') : null
}

export type ImageUpload = {
  path: string
  file: File
  /** Hears how much has left, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Sends an image as it stands; the server draws its own out of it. */
export async function uploadImage(upload: ImageUpload): Promise<ImageAnswer> {
  return ImageAnswer.parse(await sendFile(upload))
}
