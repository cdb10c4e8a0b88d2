import type { RenderedPage } from '#contract/first-paint.ts'
import type { Config } from '#server/kernel/config/config.ts'

const CONFIG = /(<script type="application\/json" id="site-config">)[^<]*(<\/script>)/
const DOCTYPE = /^<!doctype html>\s*/i
const ROOT = /<div id="root">[\s\S]*<\/div>(?=\s*<\/body>)/
const TITLE = /<title>[^<]*<\/title>/
const DESCRIPTION = /<meta\s+name="description"[^>]*>/
const BOOT = '<script src="/boot.js"'

/** The entry script and its preloaded imports, as the build writes them into the head. */
const SCRIPT_TAGS = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g

/** JSON that cannot close the script element around it. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Inserts the site configuration into the document. */
export function pageWithConfig(html: string, config: Config): string {
  const json = scriptJson(pageConfig(config))
  return html.replace(CONFIG, (_all, before: string, after: string) => `${before}${json}${after}`)
}

/** Replaces the match in the document with the match in `head`, if there is one. */
function replaceIn(html: string, pattern: RegExp, head: string): string {
  const found = pattern.exec(head)?.[0]
  return found === undefined ? html : html.replace(pattern, () => found)
}

/**
 * Inserts a rendered page into the document, followed by what can wait until after first paint: the scripts,
 * which `public/boot.js` then loads. Omits the doctype, which the router adds.
 */
export function renderedDocument(html: string, page: RenderedPage): string {
  const { head, body, assumedRegion, isSignedIn } = page
  const audience = isSignedIn ? 'member' : 'visitor'
  const named = replaceIn(replaceIn(html, TITLE, head), DESCRIPTION, head)
  const scriptTags = named.match(SCRIPT_TAGS) ?? []
  const parts = [
    `<div id="root" data-rendered="${audience}" data-assumed-region="${assumedRegion ?? ''}">${body}</div>`,
    `<template id="program">${scriptTags.join('')}</template>`,
  ]
  return named
    .replace(DOCTYPE, '')
    .replaceAll(SCRIPT_TAGS, '')
    .replace(BOOT, `${BOOT} data-after-paint`)
    .replace(ROOT, () => parts.join('\n'))
}

/** The public configuration for the pages; it contains no secrets. */
export function pageConfig(config: Config) {
  const { demo, tileUrl, tileAttribution, supportEmail, company } = config
  return { demo, tileUrl, tileAttribution, supportEmail, company }
}
