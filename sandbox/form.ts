import { stripeFailure } from './failure.ts'

/** What a form body decodes to: strings as leaves, objects and lists in between. */
type Tree = { [name: string]: string | Tree }

const PART = /^([\w.-]+)((?:\[[\w.-]*\])*)$/

function partsOf(name: string): string[] {
  const [, head, rest] = PART.exec(name) ?? []
  if (head === undefined || rest === undefined || name.includes('__proto__')) {
    throw stripeFailure(400, { message: `Invalid parameter name: ${name}`, param: name }, true)
  }
  return [head, ...[...rest.matchAll(/\[([\w.-]*)\]/g)].map((match) => match[1] ?? '')]
}

function setValue(tree: Tree, parts: string[], value: string): void {
  let node = tree
  for (const part of parts.slice(0, -1)) {
    const next = node[part]
    if (typeof next === 'object') {
      node = next
    } else {
      const made: Tree = {}
      node[part] = made
      node = made
    }
  }
  const last = parts.at(-1) ?? ''
  node[last === '' ? String(Object.keys(node).length) : last] = value
}

/** Turns objects with the keys 0, 1, 2 … into lists. */
function toArrays(node: string | Tree): unknown {
  if (typeof node === 'string') return node
  const entries = Object.entries(node)
  if (entries.length > 0 && entries.every(([name], index) => name === String(index))) {
    return entries.map(([, value]) => toArrays(value))
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, toArrays(value)]))
}

/** Decodes `a[b][0][c]=x` as Stripe writes its parameters. */
export function decodeForm(text: string): unknown {
  const tree: Tree = {}
  for (const [name, value] of new URLSearchParams(text)) setValue(tree, partsOf(name), value)
  return toArrays(tree)
}
