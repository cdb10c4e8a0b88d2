import { expect, test } from 'vitest'
import type { RenderedPage } from '#contract/first-paint.ts'
import { renderedDocument } from './document.ts'

const BUILT = `<!doctype html>
<html lang="en-GB">
  <head>
    <title>Apposite</title>
    <meta
      name="description"
      content="Find a doctor."
    />
    <script src="/boot.js"></script>
    <script type="module" crossorigin src="/assets/index-a.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/vendor-b.js">
    <link rel="stylesheet" crossorigin href="/assets/index-c.css">
  </head>
  <body>
    <div id="root">
      <div>The header</div>
    </div>
  </body>
</html>`

const page: RenderedPage = {
  head: '',
  body: '<main>Rendered</main>',
  assumedRegion: null,
  isSignedIn: false,
}

test('the rendered page takes the place of the header, with its own title and description', () => {
  const head = '<title>Dr $& Okafor</title><meta name="description" content="A $1 dentist"/>'
  const html = renderedDocument(BUILT, { ...page, head, assumedRegion: 'uk' })
  expect(html).toContain('<title>Dr $& Okafor</title>')
  expect(html).not.toContain('<title>Apposite')
  expect(html).toContain('<meta name="description" content="A $1 dentist"/>')
  expect(html).not.toContain('Find a doctor.')
  expect(html).toContain('data-assumed-region="uk"><main>Rendered</main></div>')
  expect(html).not.toContain('The header')
})

test('a page without a title and description of its own keeps those of the site', () => {
  const html = renderedDocument(BUILT, page)
  expect(html).toContain('<title>Apposite</title>')
  expect(html).toContain('Find a doctor.')
})

test('the program waits below the page, where nothing of it is fetched before the first paint', () => {
  const html = renderedDocument(BUILT, page)
  const [before = '', program = ''] = html.split('<template id="program">')
  expect(before).not.toMatch(/type="module"|modulepreload/)
  expect(before).toContain('<script src="/boot.js" data-after-paint></script>')
  expect(before).toContain('/assets/index-c.css')
  expect(program).toContain('<script type="module" crossorigin src="/assets/index-a.js"></script>')
  expect(program).toContain('<link rel="modulepreload" crossorigin href="/assets/vendor-b.js">')
})
