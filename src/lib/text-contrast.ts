/** Linear light of red, green and blue in a `#rrggbb` colour, each from 0 to 1. */
export function linearLight(color: string): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return [red, green, blue]
}

/** Relative luminance (WCAG 2.2) of a `#rrggbb` colour, from 0 to 1. */
function luminance(color: string): number {
  const [red, green, blue] = linearLight(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast (WCAG 2.2) of two `#rrggbb` colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

/** Text colours of the light theme. */
export const INKS = { dark: '#14211d', light: '#ffffff', black: '#000000' } as const

/** Text of this contrast is readable at any size (WCAG 2.2 AA). */
export const READABLE = 4.5

/** Contrast that is high enough for muted text as well. */
const AMPLE = 7

/**
 * The most readable text colour on a chosen background: dark or light, or black if neither suffices. One of
 * the three is always readable. `isAmple` means that the text may also be muted a little.
 */
export function textColorOn(color: string): { ink: keyof typeof INKS; isAmple: boolean } {
  const onDark = contrastOf(color, INKS.dark)
  const onLight = contrastOf(color, INKS.light)
  const best = Math.max(onDark, onLight)
  const ink = onDark >= onLight ? 'dark' : 'light'
  return { ink: best < READABLE ? 'black' : ink, isAmple: best >= AMPLE }
}

/** In the dark theme the staff's colour only tints the paper, or it would glare. */
export function backgroundFor(color: string): string {
  return `light-dark(${color}, color-mix(in oklab, ${color} 7%, var(--paper)))`
}
