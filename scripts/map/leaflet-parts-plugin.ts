import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Puts the parts of Leaflet the map uses where `leaflet` is imported, by us and by react-leaflet, which otherwise brings all of it. */
export function leafletParts(): Plugin {
  const parts = fileURLToPath(
    new URL('../../src/features/search/map/leaflet-parts.ts', import.meta.url),
  )
  return {
    name: 'leaflet-parts',
    config: () => ({
      resolve: { alias: [{ find: /^leaflet$/, replacement: parts }] },
      // Prepared in advance it would hold a second Leaflet of its own.
      optimizeDeps: { exclude: ['react-leaflet', '@react-leaflet/core'] },
    }),
  }
}
