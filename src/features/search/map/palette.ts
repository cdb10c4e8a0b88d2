/** The design tokens the canvas draws with, as CSS colours. */
export interface Palette {
  paper: string
  surface: string
  sunken: string
  ink: string
  muted: string
  line: string
  field: string
  brand: string
  brandDeep: string
  tint: string
  accent: string
  isDark: boolean
  /** Font families, for `CanvasRenderingContext2D.font`. */
  sans: string
  display: string
}

/**
 * Reads the current tokens of an element. A probe resolves `light-dark()` and the like to plain colours,
 * which is all a canvas understands.
 */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const style = getComputedStyle(probe)
  const colour = (token: string) => {
    probe.style.color = `var(${token})`
    return style.color
  }
  const palette = {
    paper: colour('--paper'),
    surface: colour('--surface'),
    sunken: colour('--sunken'),
    ink: colour('--ink'),
    muted: colour('--muted'),
    line: colour('--line'),
    field: colour('--field'),
    brand: colour('--brand'),
    brandDeep: colour('--brand-deep'),
    tint: colour('--tint'),
    accent: colour('--accent'),
    isDark: style.colorScheme === 'dark' || isDarkColour(colour('--paper')),
    sans: getComputedStyle(document.body).fontFamily,
    display: "'Newsreader', Georgia, serif",
  }
  probe.remove()
  return palette
}

function isDarkColour(colour: string): boolean {
  const [red = 255, green = 255, blue = 255] = (colour.match(/\d+/g) ?? []).map(Number)
  return red + green + blue < 380
}
