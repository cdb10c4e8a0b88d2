/** Escapes text for a PDF string. */
function literal(text: string): string {
  return `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`
}

type Line = { text: string; size: number; y: number }

function contentOf(lines: readonly Line[]): string {
  const drawn = lines.map(
    ({ text, size, y }) => `BT /F1 ${size} Tf 72 ${y} Td ${literal(text)} Tj ET`,
  )
  return ['0.85 w 56 56 483 730 re S', ...drawn].join('\n')
}

/** An A4 page in a plain font: heading, then the lines. Characters outside ASCII are dropped. */
export function drawPdf(heading: string, lines: readonly string[]): Uint8Array {
  const ascii = (text: string) => text.normalize('NFKD').replaceAll(/[^\x20-\x7e]/g, '')
  const content = contentOf([
    { text: ascii(heading), size: 20, y: 720 },
    ...lines.map((text, at) => ({ text: ascii(text), size: 12, y: 676 - at * 24 })),
  ])
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return new TextEncoder().encode(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`)
}
