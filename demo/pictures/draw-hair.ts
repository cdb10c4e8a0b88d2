import { darker, lighter } from './draw-palette.ts'

/** Hair in two layers with the head in between: behind the neck, and over the forehead. */
type Layers = { back: string; front: string }

type Style = (colour: string) => Layers

const path = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`

const disc = (fill: string, [x, y, r]: readonly [number, number, number]) =>
  `<circle fill="${fill}" cx="${x}" cy="${y}" r="${r}"/>`

const strand = (colour: string, d: string) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="3" stroke-linecap="round"/>`

const CAP_CROP =
  'M104 136C97 78 124 52 162 51C201 50 225 78 216 136C213 119 207 107 199 99C177 106 141 106 121 99C113 107 107 119 104 136Z'
const CAP_SIDE =
  'M104 138C96 78 126 46 170 49C208 52 226 86 216 138C212 120 207 108 200 99C178 101 150 97 135 83C129 97 112 106 104 138Z'
const CAP_MIDDLE =
  'M160 72C139 76 116 94 106 142C94 94 108 50 160 49C212 50 226 94 214 142C204 94 181 76 160 72Z'
const CAP_SWEPT =
  'M104 142C95 84 124 48 166 48C208 48 226 88 216 142C211 116 201 99 185 86C168 103 136 114 113 118C108 125 106 132 104 142Z'
const CAP_FRINGE =
  'M103 142C95 80 124 48 160 48C198 48 225 80 217 142C215 130 213 121 209 114C180 122 140 122 111 114C107 121 105 130 103 142Z'
const BOB_BACK =
  'M94 132C90 72 122 47 160 47C198 47 230 72 226 132C228 168 230 190 222 208C208 217 194 211 188 200L132 200C126 211 112 217 98 208C90 190 92 168 94 132Z'
const LONG_BACK =
  'M94 132C90 72 122 47 160 47C198 47 230 72 226 132C229 176 236 214 238 252C216 266 104 266 82 252C84 214 91 176 94 132Z'
const WAVY_BACK =
  'M94 130C88 70 122 46 160 46C198 46 232 70 226 130C226 150 240 160 236 182C232 200 246 212 240 234C236 254 214 262 196 254L124 254C106 262 84 254 80 234C74 212 88 200 84 182C80 160 94 150 94 130Z'

/** A row of curls along the brow; `r` sets how loose they are. */
function curls(colour: string, r: number): string {
  const spots: [number, number, number][] = []
  for (let step = 0; step <= 10; step += 1) {
    const angle = Math.PI * (1.04 + (0.92 * step) / 10)
    spots.push([160 + 50 * Math.cos(angle), 120 + 54 * Math.sin(angle), r + (step % 3) * 2])
  }
  return spots.map((spot) => disc(colour, spot)).join('')
}

/** A cloud of curls around the whole head. */
function cloud(colour: string, reach: number): string {
  const spots: [number, number, number][] = []
  for (let step = 0; step <= 14; step += 1) {
    const angle = Math.PI * (0.86 + (1.28 * step) / 14)
    const wobble = step % 2 === 0 ? 0 : 5
    spots.push([160 + reach * Math.cos(angle), 122 + reach * Math.sin(angle), 24 + wobble])
  }
  return `<circle fill="${colour}" cx="160" cy="122" r="${reach + 4}"/>${spots.map((s) => disc(colour, s)).join('')}`
}

const close: Record<string, Style> = {
  crop: (c) => ({ back: '', front: path(c, CAP_CROP) }),
  side: (c) => ({
    back: '',
    front: path(c, CAP_SIDE) + strand(lighter(c, 0.1), 'M140 72C156 62 182 60 202 80'),
  }),
  swept: (c) => ({
    back: '',
    front: path(
      c,
      'M105 134C96 92 108 60 134 50C158 38 206 40 216 76C221 96 219 116 215 134C212 116 208 104 200 96C182 88 146 86 124 94C113 104 108 116 105 134Z',
    ),
  }),
  buzz: (c) => ({
    back: '',
    front: `<path opacity="0.82" fill="${c}" d="M106 130C104 82 130 63 160 63C190 63 216 82 214 130C209 108 196 97 186 95C170 91 150 91 134 95C124 97 111 108 106 130Z"/>`,
  }),
  curlyTop: (c) => ({ back: '', front: curls(c, 15) }),
  receding: (c) => ({
    back: '',
    front:
      path(c, 'M105 148C95 122 99 100 116 88C114 104 115 112 111 124C109 134 107 140 105 148Z') +
      path(c, 'M215 148C225 122 221 100 204 88C206 104 205 112 209 124C211 134 213 140 215 148Z'),
  }),
  rounded: (c) => ({
    back: `<ellipse fill="${c}" cx="160" cy="112" rx="66" ry="62"/>`,
    front: path(
      c,
      'M104 140C96 76 124 50 160 50C196 50 224 76 216 140C213 116 204 100 190 97C172 92 148 92 130 97C116 100 107 116 104 140Z',
    ),
  }),
}

const fuller: Record<string, Style> = {
  bob: (c) => ({ back: path(darker(c), BOB_BACK), front: path(c, CAP_SWEPT) }),
  bobFringe: (c) => ({ back: path(darker(c), BOB_BACK), front: path(c, CAP_FRINGE) }),
  long: (c) => ({ back: path(darker(c), LONG_BACK), front: path(c, CAP_MIDDLE) }),
  longSwept: (c) => ({ back: path(darker(c), LONG_BACK), front: path(c, CAP_SWEPT) }),
  wavy: (c) => ({
    back:
      path(darker(c), WAVY_BACK) +
      strand(c, 'M100 170C92 188 104 204 96 228') +
      strand(c, 'M220 170C228 188 216 204 224 228'),
    front: path(c, CAP_MIDDLE),
  }),
  topBun: (c) => ({
    back: disc(darker(c), [160, 42, 28]),
    front: path(c, CAP_CROP) + strand(lighter(c, 0.12), 'M142 64C154 58 168 58 180 64'),
  }),
  lowBun: (c) => ({
    back: `<ellipse fill="${darker(c)}" cx="208" cy="188" rx="26" ry="24"/>`,
    front: path(c, CAP_MIDDLE),
  }),
  pony: (c) => ({
    back: path(
      darker(c),
      'M196 72C244 78 252 128 242 166C238 190 242 212 232 232C218 214 216 190 218 160Z',
    ),
    front: path(c, CAP_SIDE),
  }),
  pixie: (c) => ({
    back: '',
    front: path(
      c,
      'M103 158C94 84 122 46 168 47C210 48 228 92 217 158C214 138 211 122 204 108C190 98 182 92 178 84C160 104 128 108 114 120C108 130 106 142 103 158Z',
    ),
  }),
  curly: (c) => ({ back: cloud(darker(c, 0.08), 62), front: curls(c, 16) }),
  afro: (c) => ({
    back: cloud(c, 70),
    front: path(
      c,
      'M104 138C98 84 126 62 160 62C194 62 222 84 216 138C212 118 202 102 190 98C172 92 148 92 130 98C118 102 108 118 104 138Z',
    ),
  }),
  braids: (c) => ({
    back:
      path(darker(c), BOB_BACK) +
      [0, 1, 2, 3, 4]
        .flatMap((row) => [disc(c, [100, 196 + row * 15, 12]), disc(c, [220, 196 + row * 15, 12])])
        .join(''),
    front: path(c, CAP_MIDDLE),
  }),
}

export const HAIR_STYLES = { ...close, ...fuller }

/** Hairstyles drawn for men and women; the tightly curled ones suit the darker half of the tones. */
export const STYLES_FOR = {
  male: {
    any: ['crop', 'side', 'swept', 'buzz', 'crop', 'side', 'curlyTop'],
    coiled: ['buzz', 'rounded', 'crop', 'curlyTop', 'buzz'],
    older: ['receding', 'crop', 'side', 'receding', 'swept'],
  },
  female: {
    any: ['bob', 'long', 'wavy', 'lowBun', 'pony', 'longSwept', 'bobFringe', 'topBun', 'pixie'],
    coiled: ['afro', 'braids', 'topBun', 'curly', 'bob', 'lowBun', 'rounded'],
    older: ['bob', 'pixie', 'lowBun', 'bobFringe', 'wavy'],
  },
} as const
