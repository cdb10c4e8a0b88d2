/** The quality value of an encoding in an Accept-Encoding header; 0 when refused or not named. */
function qualityOf(header: string, encoding: string): number {
  let any = 0
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const quality = parameters.find((one) => one.startsWith('q='))
    const share = quality === undefined ? 1 : Number(quality.slice(2)) || 0
    if (name === encoding) return share
    if (name === '*') any = share
  }
  return any
}

/** Whether an Accept-Encoding header allows an encoding. No header allows none. */
export function accepts(header: string | null, encoding: string): boolean {
  return header !== null && qualityOf(header, encoding) > 0
}
