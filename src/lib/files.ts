import type { ErrorCode } from '#contract/base/errors.ts'
import { fileTypeOf, HEIC_TYPE, START_BYTES } from '#contract/base/file-types.ts'
import { errorMessage, isErrorCode } from '#contract/base/sentences.ts'
import { refreshSession, signedInFetch, signedInUser } from './session.ts'

export type FileUpload = {
  path: string
  file: File
  /** Called with the uploaded share, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

type UploadResponse = { status: number; body: unknown }

/** Uses XMLHttpRequest, because `fetch` cannot report upload progress. */
function send({ path, file, onProgress, signal }: FileUpload): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
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

/**
 * Uploads a file unchanged and returns the response body. Refreshes the session if needed. There is no
 * timeout here: the server ends stalled uploads.
 */
export async function uploadFile(upload: FileUpload): Promise<unknown> {
  const since = performance.now()
  let response = await send(upload)
  if (response.status === 401 && signedInUser() !== null && (await refreshSession(since))) {
    response = await send(upload)
  }
  if (response.status === 201) return response.body
  throw new RestRefusal(response.body)
}

/**
 * A picked file with the type of its content. A browser derives the type from the name: that is wrong for a renamed
 * file, and empty for an ending the system doesn't know.
 */
export async function withRealType(file: File): Promise<File> {
  const start = await file
    .slice(0, START_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  const type = fileTypeOf(new Uint8Array(start)) ?? file.type
  return type === file.type ? file : new File([file], file.name, { type })
}

/** Why a file of `type` is not accepted; null if it is. */
export function typeProblem(
  type: string,
  { accept, wrongType }: { accept: readonly string[]; wrongType: ErrorCode },
): string | null {
  if (type === HEIC_TYPE) return errorMessage('image_heic')
  return accept.includes(type) ? null : errorMessage(wrongType)
}

export type FetchedFile = { name: string; content: Blob }

/** Response of an export path as a file, with the name from the server. */
export async function fetchFile(path: string, body: object): Promise<FetchedFile> {
  const response = await signedInFetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new RestRefusal(await response.json().catch(() => null))
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')
  return { name: named?.[1] ?? 'export.csv', content: await response.blob() }
}

/** Offers text or bytes as a download; nothing is sent over the network. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser must have started reading it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** An error response from a path outside tRPC, with its code where `describeFailure` looks for it. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal'
  readonly data: object

  /** `answer` is the body of the error response. */
  constructor(answer: unknown) {
    const { code, request_id: requestId } = (answer ?? {}) as {
      code?: unknown
      request_id?: unknown
    }
    const appCode = isErrorCode(code) ? code : 'internal'
    super(errorMessage(appCode))
    this.data = {
      appCode,
      details: {},
      issues: [],
      requestId: typeof requestId === 'string' ? requestId : '',
    }
  }
}
