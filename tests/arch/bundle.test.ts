import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { inRoot, read, textFiles } from './repository.ts'

/**
 * A string of several words is unique to its source; a single word, such as a procedure's name, occurs on
 * both sides.
 */
const MIN_TELLING_LENGTH = 16

/** All string literals in a file, unescaped. */
function strings(path: string): string[] {
  const found: string[] = []
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string') found.push(value)
    },
    JSXText: ({ value }) => {
      found.push(value)
    },
    TemplateElement: ({ value }) => {
      found.push(value.cooked ?? value.raw)
    },
    ImportDeclaration: ({ source }) => {
      found.splice(found.indexOf(source.value), 1)
    },
  }).visit(parseSync(path, read(path)).program)
  return found.filter((text) => text.length >= MIN_TELLING_LENGTH && /\S\s+\S/.test(text))
}

function stringsOf(pattern: RegExp): Set<string> {
  const files = textFiles(pattern).filter((path) => !/\.test\.tsx?$/.test(path))
  return new Set(files.flatMap(strings))
}

test('the bundle that browsers get holds no string of the server', () => {
  const server = stringsOf(/^(server|db|migrations)\/.*\.ts$/)
  const shared = stringsOf(/^(src|contract)\/.*\.tsx?$/)
  // Words of the server may also be part of a longer sentence of the browser's own.
  const sharedText = [...shared].join('\n')
  const onlyServer = [...server].filter((text) => !sharedText.includes(text))
  expect(onlyServer.length).toBeGreaterThan(200)

  const assets = inRoot('dist', 'client', 'assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  const bundle = scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n')
  expect(onlyServer.filter((text) => bundle.includes(text))).toEqual([])
})
