import type { BrowserContext } from '@playwright/test'

type Missing = { globals: string[]; statics: string[]; members: string[] }

/** Playwright calls it in the page itself. The test of what is served finds where we do. */
const PLAYWRIGHTS_OWN = 'Element.prototype.checkVisibility'

/** Runs in the page, before its own scripts. */
function forget({ globals, statics, members }: Missing): void {
  const find = (path: string[]): object | null => {
    const found = path.reduce<unknown>(
      (owner, name) => (owner instanceof Object ? Reflect.get(owner, name) : undefined),
      globalThis,
    )
    return found instanceof Object ? found : null
  }
  for (const path of [...members, ...statics]) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const owner = find(names)
    if (owner !== null) Reflect.deleteProperty(owner, last)
  }
  for (const name of globals) Reflect.deleteProperty(globalThis, name)
}

/** Takes from every page of the context what the oldest supported Safari of phones lacks. */
export async function becomeOldSafari(context: BrowserContext): Promise<void> {
  // Loaded only then: the data are 20 MB.
  const { newerFeatures } = await import('#tests/harness/browsers/newer.ts')
  const { globals, statics, members } = newerFeatures(['safari_ios'])
  await context.addInitScript(forget, {
    globals: [...globals],
    statics: [...statics],
    members: [...members].filter((path) => path !== PLAYWRIGHTS_OWN),
  })
}
