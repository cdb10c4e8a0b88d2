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

test('the preview text goes on after the first sentence, or is the email’s own', async () => {
  const blocks = [{ kind: 'paragraph' as const, text: 'Hello Maya,\nIt is booked.\nSign in.' }]
  const previewOf = async (preview?: string) => {
    const html = await renderHtml({ heading: 'Booked', blocks, ...(preview && { preview }) })
    return /overflow:hidden">([^<]*)</.exec(html)?.[1]
  }
  expect(await previewOf()).toBe('It is booked. Sign in.')
  expect(await previewOf('Tuesday 3 March 2026')).toBe('Tuesday 3 March 2026')
})

test('the main action is the only button, and every link is in both bodies', async () => {
  const links = {
    heading: 'Booked',
    blocks: [
      { kind: 'link' as const, label: 'See this visit', url: 'https://example.com/visit?a=1&b=2' },
      { kind: 'more' as const, label: 'See your receipt', url: 'https://example.com/receipt' },
      {
        kind: 'small' as const,
        text: 'At https://example.com/sign-in, or\nturn them off: https://example.com/off.',
      },
    ],
  }
  const html = await renderHtml(links)
  expect(html.match(/<a class="button"/g)).toHaveLength(1)
  const urls = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url?.replace('&amp;', '&'))
  expect(urls).toEqual([
    'https://example.com/visit?a=1&b=2',
    'https://example.com/receipt',
    'https://example.com/sign-in',
    'https://example.com/off',
  ])
  for (const url of urls) expect(renderText(links)).toContain(url)
})

test('another person’s words become no link', async () => {
  const text = 'See https://evil.example'
  const rows: [string, string][] = [['Message', text]]
  const html = await renderHtml({
    heading: text,
    blocks: [
      { kind: 'quote', text },
      { kind: 'facts', rows },
    ],
  })
  expect(html).not.toContain('<a ')
})

test('a label breaks between words only, and a value keeps its lines', async () => {
  const rows: [string, string][] = [['Reference', 'x'.repeat(90)]]
  const facts = (value: string) => ({
    heading: 'Cancelled',
    blocks: [{ kind: 'facts' as const, rows: [...rows, ['Message', value] as [string, string]] }],
  })
  const html = await renderHtml(facts('Sorry.\nReference: FAKE'))
  expect(html).toMatch(/<td class="muted" style="[^"]*word-break:normal">Reference</)
  expect(html).toContain('Sorry.<br>Reference: FAKE')
  // In the text body no line of a note passes for one of our facts.
  expect(renderText(facts('Sorry.\nReference: FAKE'))).toContain('Message: Sorry.\n    Reference:')
})

test('dark mode has its own colour for every background and text', async () => {
  const html = await renderHtml({ heading: 'Code', blocks: [{ kind: 'code', text: '123456' }] })
  const dark = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? ''
  const coloured = html.matchAll(/class="(\w+)"[^>]*style="[^"]*color:#/g)
  const classes = new Set([...coloured].map(([, name]) => name))
  expect([...classes]).toEqual(['paper', 'mark', 'brand', 'card', 'well'])
  for (const name of classes) expect(dark).toContain(`.${name}`)
})
