declare module 'leaflet/src/control/Control.js' {
  export { Control } from 'leaflet'
}
declare module 'leaflet/src/dom/DomUtil.js' {
  import type { DomUtil } from 'leaflet'
  export const getPosition: typeof DomUtil.getPosition
  export const setTransform: typeof DomUtil.setTransform
}
declare module 'leaflet/src/geo/LatLngBounds.js' {
  export { LatLngBounds } from 'leaflet'
}
declare module 'leaflet/src/layer/Layer.js' {
  export { Layer } from 'leaflet'
}
declare module 'leaflet/src/layer/marker/DivIcon.js' {
  export { DivIcon } from 'leaflet'
}
declare module 'leaflet/src/layer/marker/Marker.js' {
  export { Marker } from 'leaflet'
}
declare module 'leaflet/src/layer/tile/TileLayer.js' {
  export { TileLayer } from 'leaflet'
}
declare module 'leaflet/src/map/index.js' {
  export { Map } from 'leaflet'
}
