import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
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

test('the browser bundle contains no string of the server', () => {
  const server = stringsOf(/^(server|db|migrations)\/.*\.ts$/)
  const shared = stringsOf(/^(src|contract)\/.*\.tsx?$/)
  // Words of the server may also be part of a longer sentence in the browser's code.
  const sharedText = [...shared].join('\n')
  const onlyServer = [...server].filter((text) => !sharedText.includes(text))
  expect(onlyServer.length).toBeGreaterThan(200)

  const assets = inRoot('dist', 'client', 'assets')
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(0)
  const bundle = scripts.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n')
  expect(onlyServer.filter((text) => bundle.includes(text))).toEqual([])
})

const Manifest = z.record(z.string(), z.object({ imports: z._default(z.array(z.string()), []) }))

test('no two files of the bundle import each other', () => {
  const path = inRoot('dist', 'manifest.json')
  const manifest = Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  const left = new Map(Object.entries(manifest).map(([file, { imports }]) => [file, imports]))
  // Repeatedly removes files that import none of those left; what remains is a cycle.
  for (let before = Infinity; left.size < before; ) {
    before = left.size
    for (const [file, imports] of left) {
      if (!imports.some((one) => left.has(one))) left.delete(file)
    }
  }
  expect([...left.keys()]).toEqual([])
})
