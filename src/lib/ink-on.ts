function channel(hex: string): number {
  const value = Number.parseInt(hex, 16) / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Relative luminance (WCAG 2.2) of a `#rrggbb` colour, from 0 to 1. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => channel(color.slice(at, at + 2)))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

/** Which text reads better on a ground somebody picked: dark or light. `#rrggbb` only. */
export function inkOn(color: string): 'dark' | 'light' {
  const ground = luminance(color)
  const contrastWithDark = (ground + 0.05) / (luminance('#14211d') + 0.05)
  const contrastWithLight = 1.05 / (ground + 0.05)
  return contrastWithDark >= contrastWithLight ? 'dark' : 'light'
}
