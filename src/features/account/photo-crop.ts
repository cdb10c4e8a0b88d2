/** The square to keep: its centre as fractions of the sides (0 to 1), and its zoom (1 to 4). */
export type Crop = { x: number; y: number; zoom: number }

type Size = { width: number; height: number }

export const FULL_CROP: Crop = { x: 0.5, y: 0.5, zoom: 1 }

/** A higher zoom would only show pixels. */
export const MAX_ZOOM = 4

/** Maximum side in pixels; the server stores less than this anyway. */
const MAX_SIDE = 1_024

function clamp(low: number, value: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** The kept square in image pixels; always within the image. */
export function cropSquare({ width, height }: Size, { x, y, zoom }: Crop) {
  const side = Math.min(width, height) / clamp(1, zoom, MAX_ZOOM)
  return {
    side,
    left: clamp(0, x * width - side / 2, width - side),
    top: clamp(0, y * height - side / 2, height - side),
  }
}

/** The crop moved by fractions of its own side, as by dragging the image. */
export function moveCrop(size: Size, crop: Crop, by: { x: number; y: number }): Crop {
  const { side, left, top } = cropSquare(size, crop)
  const moved = cropSquare(size, {
    ...crop,
    x: (left + side / 2 - by.x * side) / size.width,
    y: (top + side / 2 - by.y * side) / size.height,
  })
  return {
    ...crop,
    x: (moved.left + moved.side / 2) / size.width,
    y: (moved.top + moved.side / 2) / size.height,
  }
}

/** The kept square as an image file; null if the browser cannot draw it. */
export function cropImage(
  picture: HTMLImageElement,
  crop: Crop,
  type: string,
): Promise<Blob | null> {
  const { naturalWidth: width, naturalHeight: height } = picture
  const { side, left, top } = cropSquare({ width, height }, crop)
  const canvas = document.createElement('canvas')
  const pixels = Math.round(Math.min(side, MAX_SIDE))
  canvas.width = pixels
  canvas.height = pixels
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, pixels, pixels)
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.92))
}
