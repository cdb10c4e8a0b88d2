import data from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { OLDEST } from '#scripts/browsers/oldest.ts'

export type BrowserName = keyof typeof OLDEST

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object literal has no other keys
const everyBrowser = Object.keys(OLDEST) as BrowserName[]

function compare(a: string, b: string): number {
  const [left = [], right = []] = [a, b].map((text) => text.replace('≤', '').split('.').map(Number))
  for (const at of [0, 1, 2]) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether a browser's oldest supported version has a feature; in part counts, by another name does not. */
function isThere({ support }: CompatStatement, browser: BrowserName): boolean {
  return [support[browser] ?? []].flat().some((one) => {
    const isGone = one.version_removed !== undefined && one.partial_implementation !== true
    const isCalledOtherwise = one.prefix !== undefined || one.alternative_name !== undefined
    if (isGone || isCalledOtherwise || one.flags !== undefined) return false
    const since = one.version_added
    return !!since && since !== 'preview' && compare(since, OLDEST[browser]) <= 0
  })
}

/** Whether any browser of today has a feature. */
function isReal({ support }: CompatStatement): boolean {
  return everyBrowser.some((browser) =>
    [support[browser] ?? []].flat().some((one) => one.version_added && !one.version_removed),
  )
}

/** Whether MDN knows this feature and says that it is newer than one of the oldest browsers. */
export function isTooNew(feature: Identifier | undefined, browsers = everyBrowser): boolean {
  const compat = feature?.__compat
  if (compat === undefined || !isReal(compat)) return false
  return !browsers.every((browser) => isThere(compat, browser))
}

/** The features below one, by name. */
export function features(parent: Identifier | undefined): Record<string, Identifier> {
  const { __compat, ...inner } = parent ?? {}
  return inner
}

/** Features of scripts that one of the oldest browsers lacks. */
export type NewerFeatures = {
  /** `Temporal` */
  globals: ReadonlySet<string>
  /** `Map.groupBy`, `navigator.share` */
  statics: ReadonlySet<string>
  /** `Set.prototype.union` */
  members: ReadonlySet<string>
}

const builtins = features(data.javascript['builtins'])

const things = { ...features(data.api), ...builtins }

/** MDN does not mark statics of the language: the newest one knows them. */
function isStatic(thing: string, key: string): boolean {
  if (key.endsWith('_static')) return true
  if (!(thing in builtins)) return false
  const value: unknown = Reflect.get(globalThis, thing)
  if (typeof value !== 'function') return true
  return key in value && !(key in ((value as { prototype?: object }).prototype ?? {}))
}

/** What MDN says of scripts, for these browsers. */
export function newerFeatures(browsers = everyBrowser): NewerFeatures {
  const globals = new Set<string>()
  const statics = new Set<string>()
  const members = new Set<string>()
  for (const [thing, feature] of Object.entries(things)) {
    if (isTooNew(feature, browsers)) globals.add(thing)
    for (const [key, member] of Object.entries(features(feature))) {
      if (key === thing || key.startsWith('@@')) continue
      if (!isTooNew(member, browsers)) continue
      const [name = '', kind] = key.split('_')
      if (isStatic(thing, key)) statics.add(`${thing}.${name}`)
      else if (thing === 'Window' && kind === undefined) globals.add(name)
      else members.add(`${thing}.prototype.${kind === 'event' ? `on${name}` : name}`)
    }
  }
  return { globals, statics, members }
}

/** Objects that every page has one of. */
const SINGLETONS: Record<string, string> = { Navigator: 'navigator', Screen: 'screen' }

/** Things whose members are told by their name alone, as a script does not say what it has at hand. */
const COMMON =
  /^(?:Abort\w+|Blob|CSSStyleDeclaration|Crypto|DOMRect\w*|DataTransfer|Document|Element|Event|EventTarget|File|FormData|HTML\w*Element|Headers|Node|Range|ReadableStream|Request|Response|Selection|URL\w*)$/

/** Like `newerFeatures`, for reading scripts: `names` of members that nothing in the oldest browsers has. */
export function newerNames() {
  const { globals, statics, members } = newerFeatures()
  const all = [...members].map((path) => path.split('.prototype.'))
  const ofSingletons = all.flatMap(([thing = '', name]) =>
    thing in SINGLETONS ? [`${SINGLETONS[thing] ?? ''}.${name}`] : [],
  )
  // Whoever has an instance of a newer class has named the class; iterators come from elsewhere.
  const isCommon = (thing: string) =>
    thing === 'Iterator' || (!globals.has(thing) && (thing in builtins || COMMON.test(thing)))
  const old = Object.entries(things).flatMap(([thing, feature]) =>
    globals.has(thing)
      ? []
      : Object.entries(features(feature))
          .filter(([key, member]) => !isStatic(thing, key) && !isTooNew(member))
          .map(([key]) => key.replace(/^(.*)_event$/, 'on$1')),
  )
  const names = new Set(all.flatMap(([thing = '', name = '']) => (isCommon(thing) ? [name] : [])))
  for (const name of old) names.delete(name)
  return { globals, statics: new Set([...statics, ...ofSingletons]), names }
}

export { data as browserData }
