import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { read, sourceFiles } from './repository.ts'

const files = sourceFiles().filter(
  (path) => path.startsWith('src/') && !/\.test\.tsx?$/.test(path) && !path.includes('routeTree'),
)

/** What waits for the network; `lazyPart` says so in its place. */
const LOADERS = new Set(['late', 'loadCode', 'lazyPart'])

test('code is loaded late only by what waits for the network', () => {
  const found = files.flatMap((path) => {
    const { program } = parseSync(path, read(path))
    const imports: number[] = []
    const loaded = new Set<string>()
    const spans: { start: number; end: number; name?: string }[] = []
    new Visitor({
      ImportExpression: ({ start }) => void imports.push(start),
      // `const importHost = () => import(…)`, loaded by its name.
      VariableDeclarator: ({ id, start, end }) => {
        if (id.type === 'Identifier') spans.push({ start, end, name: id.name })
      },
      CallExpression: ({ callee, arguments: [first], start, end }) => {
        if (callee.type !== 'Identifier' || !LOADERS.has(callee.name)) return
        if (first?.type === 'Identifier') loaded.add(first.name)
        else spans.push({ start, end })
      },
    }).visit(program)
    const ways = spans.filter(({ name }) => name === undefined || loaded.has(name))
    const bare = imports.filter((at) => !ways.some(({ start, end }) => start < at && at < end))
    return bare.map(() => path)
  })
  expect(found).toEqual([])
})

test('no module of the page awaits anything at its top level, as pages wait for the entry that starts them', () => {
  const found = files.filter((path) => {
    let depth = 0
    let isAwaiting = false
    const into = () => {
      depth += 1
    }
    const out = () => {
      depth -= 1
    }
    new Visitor({
      FunctionDeclaration: into,
      'FunctionDeclaration:exit': out,
      FunctionExpression: into,
      'FunctionExpression:exit': out,
      ArrowFunctionExpression: into,
      'ArrowFunctionExpression:exit': out,
      AwaitExpression: () => {
        if (depth === 0) isAwaiting = true
      },
    }).visit(parseSync(path, read(path)).program)
    return isAwaiting
  })
  expect(found).toEqual([])
})
