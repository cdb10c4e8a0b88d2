import { contrastOf, INKS, inkOn } from '#app/lib/ink-on.ts'

/** Paper and ink colours of the dark theme, as in `tokens.css`. */
const DARK = { paper: '#0f1614', ink: '#eef3f0' }

/** Share of the staff's colour that `backgroundFor` mixes into the paper. */
const TINT_SHARE = 0.07

type Triple = readonly [number, number, number]

const linear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4

const gamma = (value: number) =>
  value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

function multiply(matrix: readonly Triple[], [x, y, z]: Triple): Triple {
  const [a = 0, b = 0, c = 0] = matrix.map(([p, q, r]) => p * x + q * y + r * z)
  return [a, b, c]
}

// Björn Ottosson's matrices, which CSS Color 4 uses.
const TO_LMS: readonly Triple[] = [
  [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
  [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
  [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
]
const TO_LAB: readonly Triple[] = [
  [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
  [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
  [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
]
const FROM_LAB: readonly Triple[] = [
  [1, 0.396_337_777_4, 0.215_803_757_3],
  [1, -0.105_561_345_8, -0.063_854_172_8],
  [1, -0.089_484_177_5, -1.291_485_548],
]
const FROM_LMS: readonly Triple[] = [
  [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
  [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
  [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701],
]

function mapTriple([a, b, c]: Triple, change: (value: number) => number): Triple {
  return [change(a), change(b), change(c)]
}

function oklab(color: string): Triple {
  const rgb = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [r = 0, g = 0, b = 0] = rgb
  return multiply(TO_LAB, mapTriple(multiply(TO_LMS, mapTriple([r, g, b], linear)), Math.cbrt))
}

/** `color-mix(in oklab, one share, other)` of two `#rrggbb` colours. */
export function mixInOklab(one: string, other: string, share: number): string {
  const [l, a, b] = oklab(other)
  const [l2, a2, b2] = oklab(one)
  const mixed: Triple = [l + (l2 - l) * share, a + (a2 - a) * share, b + (b2 - b) * share]
  const rgb = mapTriple(
    multiply(
      FROM_LMS,
      mapTriple(multiply(FROM_LAB, mixed), (value) => value ** 3),
    ),
    gamma,
  )
  const hex = rgb.map((value) =>
    Math.round(Math.min(1, Math.max(0, value)) * 255)
      .toString(16)
      .padStart(2, '0'),
  )
  return `#${hex.join('')}`
}

/** Contrast of the homepage's text on a colour, in the light and dark themes: 1 to 21. */
export function contrastOn(color: string): { light: number; dark: number } {
  return {
    light: contrastOf(color, INKS[inkOn(color).ink]),
    dark: contrastOf(mixInOklab(color, DARK.paper, TINT_SHARE), DARK.ink),
  }
}
