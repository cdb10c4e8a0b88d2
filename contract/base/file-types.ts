/** Types of the pictures we read. JPEG first: an iPhone converts its HEIC photos to the first type on offer. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const

/** Recognised only to say so: it cannot be decoded. */
export const HEIC_TYPE = 'image/heic'

type FileType = (typeof PICTURE_TYPES)[number] | typeof HEIC_TYPE | 'application/pdf'

/** A PDF's header may be anywhere within this many bytes: some scanners write something before it. */
export const START_BYTES = 1_024

const STARTS: readonly (readonly [FileType, RegExp])[] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n[^]\n/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // Not behind markup: a page with a PDF in it is a page.
  ['application/pdf', /^[^<]{0,1019}%PDF-/],
]

const HEIC_BRANDS = /^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/

/** The type of an ISO media file (ISO 14496-12, 4.3): its first box names a brand and compatible ones. */
function isoType(text: string): FileType | null {
  if (text.slice(4, 8) !== 'ftyp') return null
  const brands = text.slice(8, text.charCodeAt(3)).match(/[^]{4}/g) ?? []
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif'
  return brands.some((brand) => HEIC_BRANDS.test(brand)) ? HEIC_TYPE : null
}

/** What a file is by its first `START_BYTES` bytes, whatever its name or headers say; null for anything else. */
export function fileTypeOf(start: Uint8Array): FileType | null {
  const text = String.fromCharCode(...start.subarray(0, START_BYTES))
  return STARTS.find(([, mark]) => mark.test(text))?.[0] ?? isoType(text)
}

export function isPictureType(type: string | null): boolean {
  return PICTURE_TYPES.some((one) => one === type)
}
