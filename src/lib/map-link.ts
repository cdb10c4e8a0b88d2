/** A page of the open map with a marker at a point and directions to it; opens in a new tab. */
export function mapLink(point: { latitude: number; longitude: number }): string {
  const { latitude, longitude } = point
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
}
