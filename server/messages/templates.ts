/** A piece of a mail. Both bodies are made from the same pieces, so they say the same. */
export type Block =
  | { kind: 'paragraph'; text: string }
  /** Words of somebody else, kept as they were typed. */
  | { kind: 'quote'; text: string }
  | { kind: 'facts'; rows: [label: string, value: string][] }
  /** The one thing to do; the address is written out below for readers that show no links. */
  | { kind: 'link'; label: string; url: string }
  /** Something to type. */
  | { kind: 'code'; text: string }
  | { kind: 'small'; text: string }

export type Letter = { heading: string; blocks: Block[] }

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Text made harmless inside HTML, in element content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

function htmlLines(text: string): string {
  return escapeHtml(text).replaceAll(/\r\n?|\n/g, '<br>')
}

function htmlBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p style="margin:0 0 16px">${htmlLines(block.text)}</p>`
    case 'quote':
      return `<div style="margin:0 0 16px;padding:12px 16px;border-left:4px solid #0f766e;background:#f3f6f4;color:#14211d;overflow-wrap:anywhere">${htmlLines(block.text)}</div>`
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${block.rows
        .map(
          ([label, value]) =>
            `<tr><td style="padding:2px 16px 2px 0;color:#52605b;vertical-align:top">${escapeHtml(label)}</td><td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table>`
    case 'link': {
      const url = escapeHtml(block.url)
      return `<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0f766e;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(block.label)}</a></p>
<p style="margin:0 0 16px;color:#52605b;font-size:14px;line-height:20px;overflow-wrap:anywhere">${url}</p>`
    }
    case 'code':
      return `<p style="margin:0 0 16px;font-size:28px;line-height:36px;font-weight:700;letter-spacing:4px">${escapeHtml(block.text)}</p>`
    case 'small':
      return `<p style="margin:0 0 8px;color:#52605b;font-size:14px;line-height:20px">${htmlLines(block.text)}</p>`
  }
}

/** The HTML body: one column that fits a phone, styles inline because mail readers drop others. */
export function renderHtml({ heading, blocks }: Letter): string {
  const title = escapeHtml(heading)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><title>${title}</title></head>
<body style="margin:0;padding:0;background:#f6f5f1">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f5f1"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-radius:12px"><tr><td style="padding:24px;${FONT};font-size:16px;line-height:24px;color:#14211d">
<p style="margin:0 0 20px;font-weight:700;color:#0f766e">Apposite</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px">${title}</h1>
${blocks.map(htmlBlock).join('\n')}
</td></tr></table>
</td></tr></table>
</body></html>
`
}

function textBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'small':
      return block.text
    case 'link':
      return `${block.label}:\n${block.url}`
    case 'code':
      return `    ${block.text}`
    case 'quote':
      return block.text
        .split(/\r\n?|\n/)
        .map((line) => `> ${line}`.trimEnd())
        .join('\n')
    case 'facts':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  }
}

/** The plain text body, with the same words in the same order. */
export function renderText({ heading, blocks }: Letter): string {
  return `${[heading, ...blocks.map(textBlock)].join('\n\n')}\n\nApposite\n`
}
