import type { Map as LeafletMap } from 'leaflet'

/** Tells the map's own moves from the user's: only the latter offer a new search. */
export class ProgrammaticMoves {
  #isOwn = false
  readonly #map: LeafletMap

  constructor(map: LeafletMap) {
    this.#map = map
  }

  /** Moves the map; an animated move lasts until it comes to rest. */
  run(move: (map: LeafletMap) => void, isAnimated = false): void {
    this.#isOwn = true
    move(this.#map)
    if (!isAnimated) this.#isOwn = false
  }

  /**
   * Calls back when the map comes to rest after a move by the user; returns a function that stops watching.
   */
  watch(onMoved: () => void): () => void {
    const rest = () => {
      const wasOwn = this.#isOwn
      this.#isOwn = false
      if (!wasOwn) onMoved()
    }
    const grab = () => {
      this.#isOwn = false
    }
    this.#map.on('moveend', rest)
    this.#map.on('dragstart', grab)
    return () => {
      this.#map.off('moveend', rest)
      this.#map.off('dragstart', grab)
    }
  }
}
