import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BUILD_TARGET, OLDEST } from '#scripts/browsers/oldest.ts'
import { findNewer } from '#tests/harness/browsers/find-newer.ts'
import { findNewerCss } from '#tests/harness/browsers/find-newer-css.ts'
import { inRoot, read, textFiles } from './repository.ts'

/** Everything that a feature is found in, by feature. */
function usesIn(files: readonly string[], find: (path: string, text: string) => string[]) {
  const uses = files.flatMap((path) =>
    find(path, readFileSync(path, 'utf8')).map((feature) => ({ feature, path })),
  )
  return Map.groupBy(uses, ({ feature }) => feature)
}

/** Our own scripts, and names in them that are not what MDN knows by that name. */
const OWN = {
  '.bytes': 'The size of a file.',
  '.capture': 'Of PayPal’s orders.',
  '.union': 'Of zod.',
  Rect: 'A type of ours.',
}

/** The same for what is served, with what packages look for before they use it. */
const SERVED = {
  '.bytes': OWN['.bytes'],
  '.capture': OWN['.capture'],
  '.checkVisibility': 'Base UI looks for it.',
  '.cssFloat': 'React sets it where a style has it.',
  '.displayName': 'React’s own name of a component.',
  '.fetchPriority': 'React sets it, and browsers ignore it.',
  '.imageSizes': 'React sets it, and browsers ignore it.',
  '.onselectstart': 'Leaflet sets it while a map is dragged by mouse.',
  '.playsInline': 'Leaflet’s videos, which we have none of.',
  '.popover': 'React reads the property of an element.',
  '.startViewTransition': 'The router looks for it.',
  '.toArray': 'Of React.Children.',
  '.when': 'Of zod.',
  'Error.captureStackTrace': 'Packages look for it.',
  'Intl.DurationFormat': 'The polyfill of Temporal looks for it.',
  Keyboard: 'Leaflet’s own class.',
  Profiler: 'React’s own component.',
  Temporal: 'Loaded where it is missing.',
  TouchEvent: 'Leaflet looks for it.',
  ViewTransition: 'React’s own component.',
  'navigator.connection': 'Packages look for it.',
  'navigator.deviceMemory': 'Altcha looks for it.',
}

/** What older browsers may ignore in a style sheet. */
const IGNORABLE = {
  '-webkit-tap-highlight-color': 'Only looks.',
  '-webkit-user-drag': 'Only looks.',
  ':open': 'In an `:is()`, which forgives it.',
  ':popover-open': 'In an `:is()`, which forgives it.',
  ':selection': 'Only looks.',
  'field-sizing': 'The box has a size and can be scrolled.',
  'font-family: ui-monospace': 'The next family is used.',
  'forced-color-adjust': 'Safari has no forced colors.',
  'print-color-adjust': 'Written with its prefix too.',
  resize: 'A phone has no handles.',
  'text-decoration: dotted': 'Written with its prefix too.',
  'text-wrap': 'Only looks.',
  'user-select': 'Written with its prefix too.',
}

/** iPhones have no pointer. */
const isCursor = (feature: string) => feature.startsWith('cursor: ')

function served(pattern: RegExp): string[] {
  return readdirSync(inRoot('dist', 'client'), { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path) && !path.includes('swagger-ui'))
    .map((path) => inRoot('dist', 'client', path))
}

test('our own scripts use nothing that the oldest browsers lack', () => {
  const files = textFiles(/^(src|contract|sandbox\/browser|public)\/.*\.(js|tsx?)$/)
  const uses = usesIn(
    files.filter((path) => !path.includes('.test.')).map((path) => inRoot(path)),
    findNewer,
  )
  expect([...uses.keys()].toSorted()).toEqual(Object.keys(OWN).toSorted())
})

test('no script that is served needs what the oldest browsers lack', () => {
  const files = served(/\.js$/)
  expect(files.length).toBeGreaterThan(50)
  const uses = usesIn(files, findNewer)
  expect([...uses.keys()].toSorted()).toEqual(Object.keys(SERVED).toSorted())
})

test('no style sheet that is served needs what the oldest browsers lack', () => {
  const files = [...served(/\.css$/), inRoot('sandbox', 'browser', 'sandbox.css')]
  expect(files.length).toBeGreaterThan(4)
  const uses = usesIn(files, (_path, text) => findNewerCss(text))
  const found = [...uses.keys()].filter((feature) => !isCursor(feature))
  expect(found.toSorted()).toEqual(Object.keys(IGNORABLE).toSorted())
})

test.each([
  ['Map.groupBy(visits, dayOf)', ['Map.groupBy']],
  ['new Set([1]).isSubsetOf(other); other.union(more)', ['.isSubsetOf', '.union']],
  ['window.Temporal ?? Temporal.Now', ['Temporal', 'Temporal.Now']],
  ['AbortSignal.any([a, AbortSignal.timeout(1)])', ['AbortSignal.any']],
  ['URL["canParse"](text)', ['URL.canParse']],
  ['days.entries().map(f); Object.entries(days).map(f); days.map(f)', ['Iterator.map']],
  ['Promise.withResolvers(); Array.fromAsync(all)', ['Array.fromAsync', 'Promise.withResolvers']],
  [String.raw`/(?<=a)\p{L}/u.test(b); /[a--b]/v.test(b)`, ['/v']],
  ['<search><p popover="auto">Here</p></search>', ['<search>', 'popover=']],
  ['[3, 1].toSorted().at(-1); structuredClone(a); Object.hasOwn(a, b)', []],
])('in %s it finds %j', (script, features) => {
  expect(findNewer('script.jsx', script)).toEqual(features)
})

test('it finds rules, selectors, properties, values and functions of style sheets', () => {
  const sheet = `
    @scope (main) { a:user-valid { text-wrap: balance; color: light-dark(red, blue) } }
    .card { &:hover { display: grid; content: ':user-invalid' } /* @starting-style */ }
    @media (scripting: none) and (min-width: 3rem) { p { width: 2rcap; height: 3dvh } }`
  const found = ['&', ':user-valid', '@media scripting', '@scope', 'light-dark()', 'rcap']
  expect(findNewerCss(sheet)).toEqual([...found, 'text-wrap'])
})

test('the README and the warning of visitors name the browsers that the build is for', () => {
  expect(BUILD_TARGET).toContain(`ios${OLDEST.safari_ios}`)
  const readme = read('README.md')
  const boot = read('public/boot.js')
  const { safari, safari_ios: ios, chrome, edge, firefox } = OLDEST
  expect(readme).toContain(`Safari ${safari} and iOS ${ios}`)
  expect(readme).toContain(`Chrome and Edge ${chrome}; Firefox ${firefox}`)
  for (const [browser, oldest] of Object.entries({
    Safari: safari,
    Chrome: chrome,
    Edge: edge,
    Firefox: firefox,
  })) {
    expect(boot).toContain(`${browser} ${oldest}`)
  }
})

test('the script that warns visitors is one that their browsers understand', () => {
  expect(read('public/boot.js')).not.toMatch(/\?\?|\?\.[a-z[(]|\|\|=|&&=|^\s*#\w/m)
})
