import { expect, test } from 'vitest'
import type { Painted } from '#contract/first-paint.ts'
import { drawnPage } from './document.ts'

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

const painted: Painted = {
  head: '',
  body: '<main>Drawn</main>',
  assumedRegion: null,
  firstAnswers: { at: 0, answers: [] },
}

test('the drawn page takes the place of the header, with its own title and description', () => {
  const head = '<title>Dr $& Okafor</title><meta name="description" content="A $1 dentist"/>'
  const html = drawnPage(BUILT, { ...painted, head, assumedRegion: 'uk' })
  expect(html).toContain('<title>Dr $& Okafor</title>')
  expect(html).not.toContain('<title>Apposite')
  expect(html).toContain('<meta name="description" content="A $1 dentist"/>')
  expect(html).not.toContain('Find a doctor.')
  expect(html).toContain('<div id="root"><div data-drawn="uk" class="contents"><main>Drawn</main>')
  expect(html).not.toContain('The header')
  expect(html).toContain('</div>\n<script type="application/json" id="first-answers">')
})

test('a page without a title and description of its own keeps those of the site', () => {
  const html = drawnPage(BUILT, painted)
  expect(html).toContain('<title>Apposite</title>')
  expect(html).toContain('Find a doctor.')
})

test('the program waits below the page, where nothing of it is fetched before the first paint', () => {
  const html = drawnPage(BUILT, painted)
  const [before = '', program = ''] = html.split('<template id="program">')
  expect(before).not.toMatch(/type="module"|modulepreload/)
  expect(before).toContain('<script src="/boot.js" data-after-paint></script>')
  expect(before).toContain('/assets/index-c.css')
  expect(program).toContain('<script type="module" crossorigin src="/assets/index-a.js"></script>')
  expect(program).toContain('<link rel="modulepreload" crossorigin href="/assets/vendor-b.js">')
})

test('no answer can end the element it stands in', () => {
  const hostile = '</script><script>alert(1)</script><!-- $& '
  const answers: Painted['firstAnswers']['answers'] = [[['search', { text: hostile }], { hostile }]]
  const html = drawnPage(BUILT, { ...painted, firstAnswers: { at: 1, answers } })
  expect(html).not.toContain('<script>alert')
  const json = /id="first-answers">([^<]*)</.exec(html)?.[1] ?? ''
  expect(JSON.parse(json)).toEqual({ at: 1, answers })
})
