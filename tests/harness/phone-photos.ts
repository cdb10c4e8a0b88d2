import sharp from 'sharp'

/** A noisy JPEG, as a photo is: cutting it loses a part that shows. */
export function makePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const create = { width: 900, height: 600, channels: 3, background: '#808080', noise } as const
  return sharp({ create }).jpeg().toBuffer()
}

/** The photo with `Se` (the end of the spectral selection) of its first scan header changed; 63 is right. */
export function withScanEnd(photo: Buffer, end = 0): Buffer {
  const changed = Buffer.from(photo)
  const scan = changed.indexOf(Buffer.from([0xff, 0xda]))
  const components = changed[scan + 4] ?? 0
  changed[scan + 6 + 2 * components] = end
  return changed
}

/** The photo with stray bytes before its n-th segment, counted from 0. */
export function withStrayBytes(photo: Buffer, segment: number, stray = Buffer.alloc(18)): Buffer {
  let at = 2
  for (let index = 0; index < segment; index += 1) at += 2 + photo.readUInt16BE(at + 2)
  return Buffer.concat([photo.subarray(0, at), stray, photo.subarray(at)])
}

/** The first box of an ISO media file of these brands, and some data. */
export function isoFile(brand: string, ...compatible: string[]): Buffer {
  const brands = [brand, '\0\0\0\0', ...compatible].join('')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(8 + brands.length)
  return Buffer.concat([size, Buffer.from(`ftyp${brands}`, 'latin1'), Buffer.alloc(200)])
}
