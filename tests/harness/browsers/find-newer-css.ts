import type { Identifier } from '@mdn/browser-compat-data'
import { browserData, features, isTooNew } from './newer.ts'

const css = browserData.css

/** Functions are listed below the type of value that they give, such as `css.types.color.light-dark`. */
const functions = new Map<string, Identifier>()
for (const [name, type] of Object.entries(features(css['types']))) {
  functions.set(name, type)
  for (const [inner, one] of Object.entries(features(type))) {
    if (!functions.has(inner)) functions.set(inner, one)
  }
}

/** Without comments, strings and addresses, which may contain anything. */
function bareText(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, '""')
    .replaceAll(/url\([^)]*\)/g, 'url()')
    .replaceAll(/\\./g, '')
}

/**
 * What a style sheet uses that one of the oldest browsers lacks, by name and sorted: `@scope`, `@media scripting`,
 * `:user-valid`, `&`, `text-wrap`, `display: grid-lanes`, `light-dark()`, `rcap`. Names with a vendor's prefix count as fallbacks.
 */
export function findNewerCss(text: string): string[] {
  const found = new Set<string>()
  const check = (name: string, feature: Identifier | undefined) => {
    if (isTooNew(feature)) found.add(name)
  }
  for (const [, part = '', end] of bareText(text).matchAll(/([^{};]*)([{};])/g)) {
    const rule = /^\s*@([\w-]+)/.exec(part)?.[1]
    if (rule !== undefined) {
      const known = css['at-rules']?.[rule]
      check(`@${rule}`, known)
      for (const [, name = ''] of part.matchAll(/\(([a-z-]+)\s*[:)]/g)) {
        check(`@${rule} ${name}`, features(known)[name])
      }
      continue
    }
    if (end === '{') {
      for (const [, name = ''] of part.matchAll(/::?([a-z][a-z-]*)/g)) {
        check(`:${name}`, css['selectors']?.[name])
      }
      if (part.includes('&')) check('&', css['selectors']?.['nesting'])
      continue
    }
    const [, property = '', value = ''] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? []
    const known = css['properties']?.[property]
    if (isTooNew(known)) found.add(property)
    else {
      for (const [word] of value.matchAll(/(?<![\w-])[a-z][a-z-]+(?![\w(-])/g)) {
        check(`${property}: ${word}`, known?.[word])
      }
    }
    for (const [, unit = ''] of value.matchAll(/\d([a-z]+)\b/g)) {
      check(unit, css['types']?.['length']?.[unit])
    }
    for (const [, name = ''] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g)) {
      check(`${name}()`, functions.get(name))
    }
  }
  return [...found].toSorted()
}
