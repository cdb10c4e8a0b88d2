import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answers, isFresh } from '#server/kernel/answer.ts'

const NAME = /^[0-9a-f]{32}\.webp$/

/** A picture opened by itself may do nothing at all. */
const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

/**
 * Serves stored pictures by the hash of their content; null for any other name, and for a hash
 * that is not there.
 */
export function makeMedia(dataDir: string, answers: Answers) {
  return async (request: Request, name: string): Promise<Response | null> => {
    if (!NAME.test(name)) return null
    const headers = {
      'content-type': 'image/webp',
      'content-disposition': 'inline',
      'content-security-policy': POLICY,
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${name.slice(0, 32)}"`,
    }
    try {
      const body = new Uint8Array(await readFile(join(dataDir, 'media', name)))
      if (isFresh(request, headers.etag)) return answers.send(304, null, headers)
      return answers.send(200, body, headers)
    } catch {
      return null
    }
  }
}
