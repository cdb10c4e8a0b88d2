import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

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
  // Runs the same as a module and as an old-fashioned script, whichever way a page loads it.
  const bare = stripTypeScriptTypes(source).replaceAll(/^export (?=function )/gm, '')
  return {
    type: 'text/javascript; charset=utf-8',
    body: `;(() => {\n'use strict'\n${bare}\n})()\n`,
  }
}

/** A file the pages need, by its name; scripts are the TypeScript of `browser/` without its types. */
export function findAsset(name: string): Promise<Asset> | null {
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
