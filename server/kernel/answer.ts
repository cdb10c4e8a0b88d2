import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { ErrorCode, ErrorDetails } from '#contract/errors.ts'
import { sentenceFor } from '#contract/sentences.ts'
import type { Config } from './config.ts'
import { contentPolicy } from './content-policy.ts'
import { accepts } from './encoding.ts'

export type HeaderMap = Record<string, string>

/** Two years. */
const HSTS = 'max-age=63072000'

/** A locked database is free again within seconds. */
export const BUSY_RETRY_SECONDS = 2

/** Below a packet's worth there is nothing to win. */
const COMPRESS_FROM = 1_400

/** Everything we send carries these, whatever the status. */
export function securityHeaders(config: Config): HeaderMap {
  return {
    'content-security-policy': contentPolicy(config),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(self), microphone=(), payment=(self), usb=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'strict-transport-security': HSTS,
    'x-content-type-options': 'nosniff',
  }
}

/** Makes answers; every one of them goes through `send`, so none lacks the security headers. */
export class Answers {
  readonly #base: HeaderMap

  constructor(config: Config) {
    this.#base = securityHeaders(config)
  }

  /** Any answer. `headers` win over the common ones. */
  send(
    status: number,
    body: string | Uint8Array<ArrayBuffer> | null,
    headers: HeaderMap,
  ): Response {
    return new Response(body, { status, headers: { ...this.#base, ...headers } })
  }

  /** Text made on the spot: tagged, compressed when the caller can read that and it pays. */
  text(request: Request, status: number, content: { body: string; headers: HeaderMap }): Response {
    const { body } = content
    const headers: HeaderMap = { 'cache-control': 'no-store', ...content.headers }
    if (body.length < COMPRESS_FROM) return this.send(status, body, headers)
    headers['vary'] = 'accept-encoding'
    if (!accepts(request.headers.get('accept-encoding'), 'gzip')) {
      return this.send(status, body, headers)
    }
    headers['content-encoding'] = 'gzip'
    return this.send(status, gzipSync(body, { level: 1 }), headers)
  }

  /** As `text`, for what may be cached: answers 304 to whoever has it already. */
  cacheable(request: Request, body: string, headers: HeaderMap): Response {
    const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`
    const tagged = { ...headers, etag }
    if (isFresh(request, etag)) return this.send(304, null, tagged)
    return this.text(request, 200, { body, headers: tagged })
  }

  /** A failure outside tRPC, in the shape of the REST answers. */
  failure(status: number, code: ErrorCode, extras: FailureExtras): Response {
    const body = {
      status: false,
      error: sentenceFor(code, extras.details ?? {}),
      code,
      request_id: extras.requestId,
    }
    return this.send(status, JSON.stringify(body), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': extras.requestId,
      ...retryAfter(status, extras.details),
      ...extras.headers,
    })
  }
}

/** When to try again: whoever is told to wait is told how long. */
function retryAfter(status: number, details: ErrorDetails = {}): HeaderMap {
  const seconds = details['retryAfterSeconds'] ?? (status === 503 ? BUSY_RETRY_SECONDS : undefined)
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

type FailureExtras = { requestId: string; details?: ErrorDetails; headers?: HeaderMap }

/** Weak or strong makes no difference when asking whether something changed. */
function bareTag(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}

/** Whether the caller already holds the version with this tag. */
export function isFresh(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known.split(',').some((tag) => bareTag(tag) === bareTag(etag) || tag.trim() === '*')
}
