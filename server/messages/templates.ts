import { html, raw } from 'hono/html'

/** A block of an email. The HTML and text bodies are made from the same blocks. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** Another person's text, as it was typed. */
  | { kind: 'quote'; text: string }
  /** The same as one more fact, for a few words. */
  | { kind: 'message'; text: string }
  | { kind: 'facts'; rows: [label: string, value: string][] }
  /** The one main action, a button; the address is also written out, for clients that show no links. */
  | { kind: 'link'; label: string; url: string }
  /** Any other action: a link that is less prominent than the button. */
  | { kind: 'more'; label: string; url: string }
  /** A code to type. */
  | { kind: 'code'; text: string }
  /** Our own small print, never another person's words: its web addresses become links. */
  | { kind: 'small'; text: string }

/** A block without another person's own words. */
export type OwnBlock = Exclude<Block, { kind: 'quote' | 'message' }>

export type EmailContent<Of extends Block = OwnBlock> = {
  heading: string
  blocks: Of[]
  /** Where it differs from the heading: begins with what has happened, or reveals less. */
  subject?: string
  /** Shown beside the subject in a list of emails; without it, the first words after the greeting. */
  preview?: string
}

type Html = ReturnType<typeof html>

const FONT = raw("font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif")

function htmlLines(text: string): Html {
  const lines = text.split(/\r\n?|\n/)
  return html`${lines.map((line, at) => (at === 0 ? line : html`<br>${line}`))}`
}

/** Some clients make links of addresses themselves, in colours that are hard to read on a dark background. */
const LINK = raw('class="brand" style="color:#0b6b5b;text-decoration:underline"')

/** Like `htmlLines`, with a link for each web address. */
function linkedLines(text: string): Html {
  const parts = text.split(/(https?:\/\/\S+[^\s.,])/)
  return html`${parts.map((part, at) => (at % 2 === 0 ? htmlLines(part) : html`<a href="${part}" ${LINK}>${part}</a>`))}`
}

/** A label breaks between words only: without this, a long value leaves it a few letters a line. */
const WHOLE_WORDS = raw('overflow-wrap:normal;word-break:normal')

function asFact(message: string): Block {
  return { kind: 'facts', rows: [['Message', message]] }
}

function htmlBlock(block: Block): Html {
  switch (block.kind) {
    case 'paragraph':
      return html`<p style="margin:0 0 16px">${htmlLines(block.text)}</p>`
    case 'quote':
      return html`<div class="well" style="margin:0 0 16px;padding:12px 16px;border-left:4px solid #0b6b5b;background-color:#f2f0ea;color:#14211d;overflow-wrap:anywhere">${htmlLines(block.text)}</div>`
    case 'message':
      return htmlBlock(asFact(block.text))
    case 'facts':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${block.rows.map(
        ([label, value]) =>
          html`<tr><td class="muted" style="padding:2px 16px 2px 0;color:#51605a;vertical-align:top;${WHOLE_WORDS}">${label}</td><td style="padding:2px 0;vertical-align:top">${htmlLines(value)}</td></tr>`,
      )}</table>`
    case 'link':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 16px"><tr><td class="button" style="border-radius:8px;background-color:#0b6b5b"><a class="button" href="${block.url}" style="display:inline-block;padding:14px 24px;border-radius:8px;background-color:#0b6b5b;color:#ffffff;font-weight:600;line-height:20px;text-decoration:none">${block.label}</a></td></tr></table>
<p class="muted" style="margin:0 0 16px;color:#51605a;font-size:14px;line-height:20px">If the button does nothing, copy this address into your browser:<br><span style="overflow-wrap:anywhere;word-break:break-all">${block.url}</span></p>`
    case 'more':
      return html`<p style="margin:0 0 16px"><a href="${block.url}" ${LINK}>${block.label}</a></p>`
    case 'code':
      return html`<p class="well" style="margin:8px 0 20px;padding:16px;border-radius:8px;background-color:#f2f0ea;color:#14211d;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;text-align:center;font-variant-numeric:tabular-nums">${block.text}</p>`
    case 'small':
      return html`<p class="muted" style="margin:0 0 8px;color:#51605a;font-size:14px;line-height:20px">${linkedLines(block.text)}</p>`
  }
}

/** The colours of the site's dark theme, for email clients that follow the system setting. */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background-color:#0f1614!important}
.card{background-color:#17211e!important;border-color:#2c3a35!important;color:#eef3f0!important}
.well{background-color:#0b110f!important;border-color:#5cc8b0!important;color:#eef3f0!important}
.muted{color:#a7b5ae!important}
.brand{color:#5cc8b0!important}
.mark,.button{background-color:#5cc8b0!important;color:#0f1614!important}
}`

/** The first words after the greeting. */
function firstWords(blocks: Block[]): string {
  const first = blocks.find(({ kind }) => kind === 'paragraph')
  if (first?.kind !== 'paragraph') return ''
  const [greeting = '', ...rest] = first.text.split('\n')
  return rest.length === 0 ? greeting : rest.join(' ')
}

/** The HTML body: one column that fits a phone; styles are inline because email clients drop others. */
export async function renderHtml({
  heading,
  blocks,
  preview,
}: EmailContent<Block>): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${heading}</title><style>${raw(DARK)}</style></head>
<body class="paper" style="margin:0;padding:0;background-color:#fbfaf7">
<div style="display:none;max-height:0;overflow:hidden">${preview ?? firstWords(blocks)}</div>
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background-color:#fbfaf7"><tr><td align="center" style="padding:24px 12px 40px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px"><tr><td style="padding:0 4px 16px;${FONT};font-size:18px;line-height:32px;font-weight:700">
<span class="mark" aria-hidden="true" style="display:inline-block;width:32px;margin-right:10px;border-radius:9px;background-color:#0b6b5b;color:#ffffff;text-align:center">A</span><span class="brand" style="color:#0b6b5b">Apposite</span>
</td></tr><tr><td class="card" style="padding:32px 24px 24px;border:1px solid #d9d8d0;border-radius:14px;background-color:#ffffff;${FONT};font-size:16px;line-height:24px;color:#14211d;overflow-wrap:anywhere;word-break:break-word">
<h1 style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600">${heading}</h1>
${blocks.map((block) => [htmlBlock(block), '\n'])}
</td></tr></table>
</td></tr></table>
</body></html>
`
  return page.toString()
}

function textBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'small':
      return block.text
    case 'link':
    case 'more':
      return `${block.label}:\n${block.url}`
    case 'code':
      return `    ${block.text}`
    case 'quote':
      return block.text
        .split(/\r\n?|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')
    case 'message':
      return textBlock(asFact(block.text))
    case 'facts':
      // Indented, so that no line of a person's words passes for a fact of ours.
      return block.rows
        .map(([label, value]) => `${label}: ${value.replaceAll(/\r\n?|\n/g, '\n    ')}`)
        .join('\n')
  }
}

/** The plain text body, with the same words in the same order. */
export function renderText({ heading, blocks }: EmailContent<Block>): string {
  return `${[heading, ...blocks.map(textBlock)].join('\n\n')}\n\nApposite\n`
}
