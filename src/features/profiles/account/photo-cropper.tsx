import { type PointerEvent, type Ref, useId, useRef, useState } from 'react'

const PREVIEW = 'Preview of your new photo'

type PhotoCropperProps = {
  url: string
  crop: Crop
  onCrop: (crop: Crop) => void
  /** The image element that the crop is cut from. */
  picture: Ref<HTMLImageElement>
}

type SliderProps = {
  label: string
  min: number
  max: number
  value: number
  onMove: (value: number) => void
}

function Slider({ label, min, max, value, onMove }: SliderProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[6.5rem_1fr] items-center gap-3">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={0.01}
        value={value}
        onChange={({ target }) => onMove(target.valueAsNumber)}
        className="min-h-8 w-full pointer-coarse:min-h-11"
      />
    </div>
  )
}

/** A square viewport on the picked image: what is inside is kept. Moved by dragging or by sliders. */
export function PhotoCropper({ url, crop, onCrop, picture }: PhotoCropperProps) {
  const [size, setSize] = useState({ width: 1, height: 1 })
  const held = useRef<{ x: number; y: number } | null>(null)
  const { side, left, top } = cropSquare(size, crop)
  const drag = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    if (held.current === null) return
    const by = { x: clientX - held.current.x, y: clientY - held.current.y }
    held.current = { x: clientX, y: clientY }
    const window = currentTarget.clientWidth
    onCrop(moveCrop(size, crop, { x: by.x / window, y: by.y / window }))
  }
  const isWide = size.width > side + 0.5
  const isTall = size.height > side + 0.5
  return (
    <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:gap-6">
      <div
        className="relative size-48 shrink-0 cursor-move touch-none overflow-hidden rounded-full bg-tint select-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          held.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={() => {
          held.current = null
        }}
        onPointerCancel={() => {
          held.current = null
        }}
      >
        <img
          ref={picture}
          src={url}
          alt={PREVIEW}
          draggable={false}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          className="absolute max-w-none"
          style={{
            width: `${(size.width / side) * 100}%`,
            height: `${(size.height / side) * 100}%`,
            left: `${(-left / side) * 100}%`,
            top: `${(-top / side) * 100}%`,
          }}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <Slider
          label="Zoom"
          min={1}
          max={MAX_ZOOM}
          value={crop.zoom}
          onMove={(zoom) => onCrop({ ...crop, zoom })}
        />
        {isWide && (
          <Slider
            label="Left or right"
            min={0}
            max={1}
            value={crop.x}
            onMove={(x) => onCrop({ ...crop, x })}
          />
        )}
        {isTall && (
          <Slider
            label="Up or down"
            min={0}
            max={1}
            value={crop.y}
            onMove={(y) => onCrop({ ...crop, y })}
          />
        )}
        <p className="mt-1 text-sm text-muted">Or drag the photo to where you want it.</p>
      </div>
    </div>
  )
}

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
