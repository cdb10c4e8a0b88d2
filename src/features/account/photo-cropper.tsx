import { type PointerEvent, type Ref, useId, useRef, useState } from 'react'
import { type Crop, cropSquare, MAX_ZOOM, moveCrop } from './photo-crop.ts'

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
