import type { BuildManifest } from '#contract/base/server-rendering.ts'

const ENTRY = 'src/main.tsx'

/** Where the build keeps a route's page: `/_staff/admin-home/` is in `_staff.admin-home.index.tsx`. */
function routeSource(routeId: string): string {
  const name = `${routeId.slice(1)}${routeId.endsWith('/') ? 'index' : ''}`
  return `src/routes/${name.replaceAll('/', '.')}.tsx?tsr-split=component`
}

/** URLs of all files that a page with these routes runs, the entry first, so that none is found only by running another. */
export function programFiles(build: BuildManifest, routeIds: readonly string[]) {
  const keys = new Set<string>()
  const add = (key: string) => {
    if (keys.has(key)) return
    keys.add(key)
    build[key]?.imports?.forEach(add)
  }
  add(ENTRY)
  const sources = routeIds.map(routeSource)
  // Some pages share their file with their loader, which its name then says as well.
  for (const key of Object.keys(build))
    if (sources.some((source) => key.startsWith(source))) add(key)
  const scripts = [...keys].flatMap((key) => build[key]?.file ?? [])
  const urls = (files: readonly string[]) => files.map((file) => `/${file}`)
  return { scripts: urls(scripts), styles: urls(build[ENTRY]?.css ?? []) }
}
