import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { html } from 'hono/html'
import {
  answerCardChallenge,
  cardState,
  payCard,
  renderCardPage,
} from '#sandbox/screens/card-page.ts'
import { renderOperatorPage, runOperatorForm } from '#sandbox/screens/operator-page.ts'
import { approveWallet, renderWalletPage } from '#sandbox/screens/wallet-page.ts'
import { Failure } from './failure.ts'
import {
  htmlResponse,
  jsonResponse,
  type SandboxRequest,
  type SandboxResponse,
} from './http-messages.ts'
import type { Sandbox } from './sandbox.ts'

/** Set only by the app, for callers on its own machine. */
const OPERATOR_HEADER = 'x-sandbox-operator'

function isOperator({ headers }: SandboxRequest): boolean {
  return headers[OPERATOR_HEADER] === 'yes'
}

function notFound(): Promise<SandboxResponse> {
  const content = html`<h1>Nothing here</h1><p><a href="/home">Back to Apposite</a></p>`
  return htmlResponse(404, { title: 'Nothing here', kind: 'operator', content })
}

async function asset(name: string): Promise<SandboxResponse> {
  const found = await findAsset(name)
  if (found === null) return notFound()
  return {
    status: 200,
    headers: { 'content-type': found.type, 'cache-control': 'no-cache' },
    body: found.body,
  }
}

function get(
  sandbox: Sandbox,
  request: SandboxRequest,
): SandboxResponse | Promise<SandboxResponse> {
  const query = new URLSearchParams(request.query)
  const name = /^\/sandbox\/(?:assets\/)?([\w.-]+\.(?:js|css|woff2))$/.exec(request.path)?.[1]
  if (name !== undefined) return asset(name)
  switch (request.path) {
    case '/sandbox':
    case '/sandbox/':
      return isOperator(request) ? renderOperatorPage(sandbox) : notFound()
    case '/sandbox/stripe/checkout':
      return renderCardPage(sandbox, query.get('client_secret') ?? '')
    case '/sandbox/stripe/state':
      return cardState(sandbox, query.get('client_secret') ?? '')
    case '/sandbox/paypal/checkoutnow':
      return renderWalletPage(sandbox, query.get('token'))
    default:
      return notFound()
  }
}

function post(
  sandbox: Sandbox,
  request: SandboxRequest,
): SandboxResponse | Promise<SandboxResponse> {
  switch (request.path) {
    case '/sandbox/operator':
      return isOperator(request) ? runOperatorForm(sandbox, request.body) : notFound()
    case '/sandbox/stripe/pay':
      return payCard(sandbox, request.body)
    case '/sandbox/stripe/challenge':
      return answerCardChallenge(sandbox, request.body)
    case '/sandbox/paypal/approve':
      return approveWallet(sandbox, request.body)
    default:
      return notFound()
  }
}

/** The pages, scripts and forms below `/sandbox`, which the app proxies from its own origin. */
export async function handlePage(
  sandbox: Sandbox,
  request: SandboxRequest,
): Promise<SandboxResponse> {
  try {
    if (request.method === 'GET' || request.method === 'HEAD') return await get(sandbox, request)
    if (request.method === 'POST') return await post(sandbox, request)
    return jsonResponse(405, { error: 'Not this way.' }, { allow: 'GET, POST' })
  } catch (error) {
    if (error instanceof Failure) return jsonResponse(error.status, error.body)
    if (error instanceof SyntaxError || (error instanceof Error && error.name.includes('Zod'))) {
      return jsonResponse(400, { error: 'That cannot be read.' })
    }
    throw error
  }
}

export type Asset = { type: string; body: string | Uint8Array<ArrayBuffer> }

const SCRIPTS: ReadonlySet<string> = new Set(['stripe', 'paypal', 'card-page', 'wallet-page'])
const FONT = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'

const assetCache = new Map<string, Promise<Asset>>()

async function loadAsset(name: string): Promise<Asset> {
  if (name === 'sandbox.css') {
    const body = await readFile(new URL('browser/sandbox.css', import.meta.url), 'utf8')
    return { type: 'text/css; charset=utf-8', body }
  }
  if (name === 'figtree.woff2') {
    const body = await readFile(fileURLToPath(import.meta.resolve(FONT)))
    return { type: 'font/woff2', body: new Uint8Array(body) }
  }
  const source = await readFile(
    new URL(`browser/${name.replace(/js$/, 'ts')}`, import.meta.url),
    'utf8',
  )
  // Works both as a module and as a classic script.
  const bare = stripTypeScriptTypes(source).replaceAll(/^export (?=function )/gm, '')
  return {
    type: 'text/javascript; charset=utf-8',
    body: `;(() => {\n'use strict'\n${bare}\n})()\n`,
  }
}

/** A file the pages need, by name; scripts are the TypeScript of `browser/` with the types stripped. */
function findAsset(name: string): Promise<Asset> | null {
  const script = /^([a-z-]+)\.js$/.exec(name)?.[1]
  const isKnown =
    name === 'sandbox.css' ||
    name === 'figtree.woff2' ||
    (script !== undefined && SCRIPTS.has(script))
  if (!isKnown) return null
  const known = assetCache.get(name) ?? loadAsset(name)
  assetCache.set(name, known)
  return known
}
