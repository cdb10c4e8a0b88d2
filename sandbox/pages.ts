import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import {
  answerCardChallenge,
  cardState,
  payCard,
  renderCardPage,
} from '#sandbox/screens/card-page.ts'
import { operate, renderOperatorPage } from '#sandbox/screens/operator-page.ts'
import { approveWallet, renderWalletPage } from '#sandbox/screens/wallet-page.ts'
import { Failure } from './failure.ts'
import { htmlAnswer } from './html.ts'
import { type Answered, type Asked, jsonAnswer } from './http-forms.ts'
import type { Sandbox } from './sandbox.ts'

/** Set only by the app, for callers on its own machine. */
const OPERATOR_HEADER = 'x-sandbox-operator'

function isOperator({ headers }: Asked): boolean {
  return headers[OPERATOR_HEADER] === 'yes'
}

function notFound(): Answered {
  const content = '<h1>Nothing here</h1><p><a href="/home">Back to Apposite</a></p>'
  return htmlAnswer(404, { title: 'Nothing here', kind: 'operator', content })
}

async function asset(name: string): Promise<Answered> {
  const found = await findAsset(name)
  if (found === null) return notFound()
  return {
    status: 200,
    headers: { 'content-type': found.type, 'cache-control': 'no-cache' },
    body: found.body,
  }
}

function get(sandbox: Sandbox, asked: Asked): Answered | Promise<Answered> {
  const query = new URLSearchParams(asked.query)
  const name = /^\/sandbox\/(?:assets\/)?([\w.-]+\.(?:js|css|woff2))$/.exec(asked.path)?.[1]
  if (name !== undefined) return asset(name)
  switch (asked.path) {
    case '/sandbox':
    case '/sandbox/':
      return isOperator(asked) ? renderOperatorPage(sandbox) : notFound()
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

function post(sandbox: Sandbox, asked: Asked): Answered | Promise<Answered> {
  switch (asked.path) {
    case '/sandbox/operator':
      return isOperator(asked) ? operate(sandbox, asked.body) : notFound()
    case '/sandbox/stripe/pay':
      return payCard(sandbox, asked.body)
    case '/sandbox/stripe/challenge':
      return answerCardChallenge(sandbox, asked.body)
    case '/sandbox/paypal/approve':
      return approveWallet(sandbox, asked.body)
    default:
      return notFound()
  }
}

/** The pages, scripts and forms below `/sandbox`, which the app proxies from its own origin. */
export async function answerPage(sandbox: Sandbox, asked: Asked): Promise<Answered> {
  try {
    if (asked.method === 'GET' || asked.method === 'HEAD') return await get(sandbox, asked)
    if (asked.method === 'POST') return await post(sandbox, asked)
    return jsonAnswer(405, { error: 'Not this way.' }, { allow: 'GET, POST' })
  } catch (error) {
    if (error instanceof Failure) return jsonAnswer(error.status, error.body)
    if (error instanceof SyntaxError || (error instanceof Error && error.name.includes('Zod'))) {
      return jsonAnswer(400, { error: 'That cannot be read.' })
    }
    throw error
  }
}

export type Asset = { type: string; body: string | Uint8Array<ArrayBuffer> }

const SCRIPTS: ReadonlySet<string> = new Set(['stripe', 'paypal', 'card-page', 'wallet-page'])
const FONT = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'

const made = new Map<string, Promise<Asset>>()

async function make(name: string): Promise<Asset> {
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
  const known = made.get(name) ?? make(name)
  made.set(name, known)
  return known
}
