import type { Region } from '#contract/base/region.ts'

const backdropCredits: Record<Region, string> = {
  uk: 'Contains OS data © Crown copyright 2025, GeoNames, Natural Earth',
  usa: 'US Census Bureau, GeoNames, Natural Earth',
}

/** Attribution of the map: the sources of the backdrop, or those of the tiles over it. */
export function Credit({ region, tiles }: { region: Region; tiles: string | null }) {
  return (
    <p className="map-credit">
      {tiles === null
        ? backdropCredits[region]
        : creditParts(tiles).map(({ text, href }, index) =>
            href ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one fixed text
              <a key={index} href={href} rel="noreferrer">
                {text}
              </a>
            ) : (
              text
            ),
          )}
    </p>
  )
}

/**
 * Splits an attribution into text and links; only `http` links become links, and any other markup is dropped.
 */
export function creditParts(credit: string): { text: string; href: string | null }[] {
  const parts: { text: string; href: string | null }[] = []
  const add = (text: string, href: string | null) => {
    if (plain(text) !== '') parts.push({ text: plain(text), href })
  }
  let at = 0
  for (const link of credit.matchAll(/<a\s[^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)) {
    add(credit.slice(at, link.index), null)
    const [whole, href = '', text = ''] = link
    add(text, /^https?:\/\//.test(href) ? href : null)
    at = link.index + whole.length
  }
  add(credit.slice(at), null)
  return parts
}

function plain(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&')
}
