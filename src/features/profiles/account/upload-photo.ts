import { signedInFetch } from '#app/lib/signed-in-fetch.ts'
import { ErrorCode } from '#contract/errors.ts'
import { PHOTO_MAX, PHOTO_PATH, PHOTO_TYPES, PhotoAnswer } from '#contract/profiles.ts'
import { sentenceFor } from '#contract/sentences.ts'

/** What is wrong with a file before it is sent, in words; null when it may be tried. */
export function whyNotPhoto(file: Pick<File, 'type' | 'size'>): string | null {
  if (!PHOTO_TYPES.some((type) => type === file.type)) return sentenceFor('image_type')
  return file.size > PHOTO_MAX ? sentenceFor('image_too_large') : null
}

/** A refusal of the server, with its code where `describeFailure` looks for one. */
class PhotoRefusal extends Error {
  override readonly name = 'PhotoRefusal'
  readonly data: object

  constructor(answer: { code?: unknown; request_id?: unknown }) {
    const parsed = ErrorCode.safeParse(answer.code)
    const appCode = parsed.success ? parsed.data : 'internal'
    super(sentenceFor(appCode))
    this.data = {
      appCode,
      details: {},
      issues: [],
      requestId: typeof answer.request_id === 'string' ? answer.request_id : '',
    }
  }
}

/** Sends a picture as it stands; the server makes its own out of it. Answers its address. */
export async function uploadPhoto(file: Blob): Promise<string> {
  const response = await signedInFetch(PHOTO_PATH, {
    method: 'POST',
    headers: { 'content-type': file.type },
    body: file,
  })
  const answer: unknown = await response.json()
  if (response.ok) return PhotoAnswer.parse(answer).profile_image
  throw new PhotoRefusal(typeof answer === 'object' && answer !== null ? answer : {})
}
