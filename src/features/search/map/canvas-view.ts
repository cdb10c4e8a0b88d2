import type { Palette } from './palette.ts'

/** What a canvas shows: where its corner is in the world, how large a world pixel is, and its size, all in CSS pixels. */
export interface CanvasView {
  zoom: number
  /** CSS pixels the whole world is wide at this zoom. */
  size: number
  /** World pixels of the canvas's upper left corner. */
  left: number
  top: number
  width: number
  height: number
}

/** What everything is drawn with: a canvas whose units are CSS pixels, the view it shows, and the colours. */
export interface Brush {
  context: CanvasRenderingContext2D
  view: CanvasView
  palette: Palette
}

/** Something that paints on a canvas whose units are CSS pixels. */
export type Paint = (context: CanvasRenderingContext2D, view: CanvasView) => void
