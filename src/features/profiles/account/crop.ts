/** Which square of a picture is kept: its middle as shares of the sides (0 to 1), and how near (1 to 4). */
export type Crop = { x: number; y: number; zoom: number }

type Size = { width: number; height: number }

export const WHOLE: Crop = { x: 0.5, y: 0.5, zoom: 1 }

/** More would only show pixels. */
export const ZOOM_MAX = 4

/** What the server keeps is smaller than this anyway; in pixels. */
const SIDE_MAX = 1_024

function between(low: number, value: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}

/** The kept square in pixels of the picture; it never reaches over an edge. */
export function squareOf({ width, height }: Size, { x, y, zoom }: Crop) {
  const side = Math.min(width, height) / between(1, zoom, ZOOM_MAX)
  return {
    side,
    left: between(0, x * width - side / 2, width - side),
    top: between(0, y * height - side / 2, height - side),
  }
}

/** The crop that has moved by a share of its own side, as a finger pushes the picture. */
export function pushed(size: Size, crop: Crop, by: { x: number; y: number }): Crop {
  const { side, left, top } = squareOf(size, crop)
  const moved = squareOf(size, {
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

/** The kept square as a file of its own; null when the browser cannot draw it. */
export function cutOut(picture: HTMLImageElement, crop: Crop, type: string): Promise<Blob | null> {
  const { naturalWidth: width, naturalHeight: height } = picture
  const { side, left, top } = squareOf({ width, height }, crop)
  const canvas = document.createElement('canvas')
  const pixels = Math.round(Math.min(side, SIDE_MAX))
  canvas.width = pixels
  canvas.height = pixels
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, pixels, pixels)
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.92))
}
