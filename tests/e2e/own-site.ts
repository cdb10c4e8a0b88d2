import { test as base } from './fixtures.ts'
import { withOwnSite } from './site.ts'

/** `test` with a separate site: for changes that other tests would notice, such as another homepage. */
export const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here what is wanted
  site: async ({}, provide) => withOwnSite(provide),
})
