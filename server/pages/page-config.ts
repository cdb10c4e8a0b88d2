import type { Config } from '#server/kernel/config/config.ts'

/** What an installation says about itself to its pages; nothing of it is a secret. */
export function pageConfig(config: Config) {
  const { demo, tileUrl, tileAttribution, supportEmail, company } = config
  return { demo, tileUrl, tileAttribution, supportEmail, company }
}
