/** A request as the two protocols see it; header names in lower case. */
export type SandboxRequest = {
  method: string
  path: string
  query: string
  headers: Record<string, string | undefined>
  body: string
}

export type SandboxResponse = {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer>
}

const JSON_TYPE = 'application/json'

/** A JSON response. */
export function jsonResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): SandboxResponse {
  return {
    status,
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}
