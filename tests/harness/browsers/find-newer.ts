import { type Expression, parseSync, Visitor } from 'oxc-parser'
import { browserData, features, isTooNew, newerNames } from './newer.ts'

const newer = newerNames()

const { html } = browserData

const iterator = features(features(browserData.javascript['builtins'])['Iterator'])

/** Methods of iterators that arrays have too: a name alone does not tell. */
const ITERATOR_METHODS = new Set(Object.keys(iterator).filter((name) => isTooNew(iterator[name])))

const WINDOWS = new Set(['window', 'globalThis', 'self'])

const GIVE_ITERATORS = new Set(['values', 'keys', 'entries', 'matchAll'])

function nameOf(expression: Expression): string | null {
  return expression.type === 'Identifier' ? expression.name : null
}

/** Whether a call such as `map.values()` gives an iterator; `Object.values(map)` gives an array. */
function givesIterator(expression: Expression): boolean {
  if (expression.type !== 'CallExpression') return false
  const { callee } = expression
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
  return GIVE_ITERATORS.has(callee.property.name) && nameOf(callee.object) !== 'Object'
}

/** Sets that came after flag `u`, and flags changed within an expression. */
function isNewPattern({ pattern, flags }: { pattern: string; flags: string }): boolean {
  return flags.includes('v') || /\(\?[ims]*-?[ims]+:/.test(pattern)
}

/**
 * What a script uses that one of the oldest browsers lacks, by name and sorted: `Map.groupBy`, `.isSubsetOf`, `Temporal`,
 * `<search>`, `popover=`.
 * A feature that it first looks for is found as well.
 */
export function findNewer(path: string, text: string): string[] {
  const found = new Set<string>()
  new Visitor({
    // Local variables may be called like the page's other things.
    Identifier({ name }) {
      if (/^[A-Z]/.test(name) && newer.globals.has(name)) found.add(name)
    },
    MemberExpression({ object, property, computed }) {
      const name = computed
        ? property.type === 'Literal' && typeof property.value === 'string'
          ? property.value
          : null
        : 'name' in property
          ? property.name
          : null
      if (name === null) return
      const owner = nameOf(object) ?? ''
      const full = `${owner}.${name}`
      if (WINDOWS.has(owner) && newer.globals.has(name)) found.add(name)
      else if (newer.statics.has(full)) found.add(full)
      else if (newer.names.has(name)) found.add(`.${name}`)
      else if (ITERATOR_METHODS.has(name) && givesIterator(object)) {
        found.add(`Iterator.${name}`)
      }
    },
    JSXOpeningElement({ name, attributes }) {
      if (name.type !== 'JSXIdentifier') return
      if (isTooNew(html['elements']?.[name.name])) found.add(`<${name.name}>`)
      for (const one of attributes) {
        if (one.type !== 'JSXAttribute' || one.name.type !== 'JSXIdentifier') continue
        if (isTooNew(html['global_attributes']?.[one.name.name])) found.add(`${one.name.name}=`)
      }
    },
    Literal(literal) {
      if ('regex' in literal && isNewPattern(literal.regex)) found.add(`/${literal.regex.flags}`)
    },
  }).visit(parseSync(path, text).program)
  return [...found].toSorted()
}
