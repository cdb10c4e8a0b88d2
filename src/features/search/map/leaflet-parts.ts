/**
 * The parts of Leaflet this map uses, in place of the whole: a third less to send. The build puts this file where
 * `leaflet` is imported (`scripts/map/leaflet-parts-plugin.ts`); a part that is missing here fails the build.
 */
export { Control } from 'leaflet/src/control/Control.js'
export * as DomUtil from 'leaflet/src/dom/DomUtil.js'
export { LatLngBounds } from 'leaflet/src/geo/LatLngBounds.js'
export { Layer } from 'leaflet/src/layer/Layer.js'
export { DivIcon } from 'leaflet/src/layer/marker/DivIcon.js'
export { Marker } from 'leaflet/src/layer/marker/Marker.js'
export { TileLayer } from 'leaflet/src/layer/tile/TileLayer.js'
export { Map } from 'leaflet/src/map/index.js'
