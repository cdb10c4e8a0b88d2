import { RestRefusal } from '#app/lib/rest-refusal.ts'
import { signedInUser } from '#app/lib/session.ts'
import { refreshSession } from '#app/lib/signed-in-fetch.ts'
import { sentenceFor } from '#contract/sentences.ts'
import {
  DOCUMENT_MAX,
  DOCUMENT_PATH,
  DOCUMENT_TYPES,
  DocumentAnswer,
} from '#contract/verification.ts'

/** What is wrong with a file before it is sent, in words; null when it may be tried. */
export function whyNotDocument(file: Pick<File, 'type' | 'size'>): string | null {
  if (!DOCUMENT_TYPES.some((type) => type === file.type)) return sentenceFor('document_type')
  return file.size > DOCUMENT_MAX ? sentenceFor('document_too_large') : null
}

type Upload = {
  file: File
  /** Hears how much has left, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

type Answered = { status: number; body: unknown }

/** `fetch` cannot tell how much of a body has left yet. */
function send({ file, onProgress, signal }: Upload): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', DOCUMENT_PATH)
    request.setRequestHeader('content-type', file.type)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total === 0 ? 0 : loaded / total)
    })
    request.addEventListener('load', () => {
      resolve({ status: request.status, body: request.response as unknown })
    })
    request.addEventListener('error', () => reject(new TypeError('Failed to fetch')))
    request.addEventListener('abort', () => reject(new DOMException('Left', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

/** Sends a document as it stands and answers what it is kept as. Renews the session where needed. */
export async function uploadDocument(upload: Upload): Promise<DocumentAnswer> {
  const since = Date.now()
  let answered = await send(upload)
  if (answered.status === 401 && signedInUser() !== null && (await refreshSession(since))) {
    answered = await send(upload)
  }
  if (answered.status === 201) return DocumentAnswer.parse(answered.body)
  throw new RestRefusal(answered.body)
}
