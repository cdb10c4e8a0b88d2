import { expect, test } from 'vitest'
import { renderHtml, renderText } from './templates.ts'

const content = {
  heading: 'Message from "Zoe" & Bob',
  blocks: [
    { kind: 'paragraph' as const, text: 'One\r\ntwo' },
    { kind: 'facts' as const, rows: [['From', '<Ann>'] as [string, string]] },
    { kind: 'quote' as const, text: 'First\n\nsecond' },
    { kind: 'small' as const, text: 'Small print' },
  ],
}

test('characters that could end an element or an attribute are escaped', async () => {
  const url = `https://example.com/"x" id='y'&amp;`
  const blocks = [{ kind: 'link' as const, label: '</a>', url }]
  const html = await renderHtml({ heading: 'Link', blocks })
  expect(html).toContain('href="https://example.com/&quot;x&quot; id=&#39;y&#39;&amp;amp;"')
  expect(html).toContain('&lt;/a&gt;')
})

test('both bodies have the same text in the same order', async () => {
  const words = ['Message from', 'One', 'two', 'From', 'Ann', 'First', 'second', 'Small print']
  for (const body of [renderText(content), (await renderHtml(content)).split('<h1')[1] ?? '']) {
    const places = words.map((word) => body.indexOf(word))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  }
})

test('the text body quotes line by line', () => {
  expect(renderText(content)).toContain('> First\n>\n> second')
})

test('the HTML body fits a phone and loads nothing', async () => {
  const html = await renderHtml(content)
  expect(html).toContain('width=device-width')
  expect(html).toContain('max-width:600px')
  expect(html).not.toMatch(/src=|url\(|<link|<script/)
  expect(html).toContain('&lt;Ann&gt;')
})

test('the preview text is not the greeting', async () => {
  const [before] = (
    await renderHtml({
      heading: 'Reset your password',
      blocks: [{ kind: 'paragraph', text: 'Hello Maya,\nhere is the link:' }],
    })
  ).split('<table')
  expect(before).toContain('>here is the link:</div>')
  expect(before).not.toContain('Hello')
})

test('dark mode has its own colour for every background and text', async () => {
  const html = await renderHtml({ heading: 'Code', blocks: [{ kind: 'code', text: '123456' }] })
  const dark = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
  const coloured = html.matchAll(/class="(\w+)"[^>]*style="[^"]*color:#/g)
  const classes = new Set([...coloured].map(([, name]) => name))
  expect([...classes]).toEqual(['paper', 'mark', 'brand', 'card', 'well'])
  for (const name of classes) expect(dark).toContain(`.${name}`)
})
