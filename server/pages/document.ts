import type { RenderedPage } from '#contract/first-paint.ts'
import type { Config } from '#server/kernel/config/config.ts'

const CONFIG = /(<script type="application\/json" id="site-config">)[^<]*(<\/script>)/
const DOCTYPE = /^<!doctype html>\s*/i
const ROOT = /<div id="root">[\s\S]*<\/div>(?=\s*<\/body>)/
const TITLE = /<title>[^<]*<\/title>/
const DESCRIPTION = /<meta\s+name="description"[^>]*>/
const BOOT = '<script src="/boot.js"'

/** The entry and what it imports, as the build names them in the head. */
const PROGRAM = /<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g

/** JSON that cannot end the script element it stands in. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Puts what this installation says about itself into the document. */
export function filledPage(html: string, config: Config): string {
  const json = scriptJson(pageConfig(config))
  return html.replace(CONFIG, (_all, before: string, after: string) => `${before}${json}${after}`)
}

/** Puts what matches in `head` in the place of what does in the document, where there is one. */
function replaceIn(html: string, pattern: RegExp, head: string): string {
  const found = pattern.exec(head)?.[0]
  return found === undefined ? html : html.replace(pattern, () => found)
}

/**
 * Puts a rendered page into the document, and below it what can wait until it is painted: its
 * program, which `public/boot.js` then fetches. Without a document type, which the router adds.
 */
export function renderedDocument(html: string, page: RenderedPage): string {
  const { head, body, assumedRegion, isSignedIn } = page
  const drawn = isSignedIn ? 'member' : 'visitor'
  const named = replaceIn(replaceIn(html, TITLE, head), DESCRIPTION, head)
  const program = named.match(PROGRAM) ?? []
  const parts = [
    `<div id="root" data-drawn="${drawn}" data-assumed-region="${assumedRegion ?? ''}">${body}</div>`,
    `<template id="program">${program.join('')}</template>`,
  ]
  return named
    .replace(DOCTYPE, '')
    .replaceAll(PROGRAM, '')
    .replace(BOOT, `${BOOT} data-after-paint`)
    .replace(ROOT, () => parts.join('\n'))
}

/** What an installation says about itself to its pages; nothing of it is a secret. */
export function pageConfig(config: Config) {
  const { demo, tileUrl, tileAttribution, supportEmail, company } = config
  return { demo, tileUrl, tileAttribution, supportEmail, company }
}
