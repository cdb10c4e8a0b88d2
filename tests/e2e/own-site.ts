import { test as base } from './fixtures.ts'
import { type Site, withOwnSite } from './site.ts'

/** `test` with a separate site: for changes that other tests would notice, such as another homepage. */
export const test = base.extend<object, { ownSite: Site }>({
  ownSite: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here what is wanted
    async ({}, provide) => withOwnSite(provide),
    { scope: 'worker', timeout: 60_000 },
  ],
  site: ({ ownSite }, provide) => provide(ownSite),
})
