import { BACKGROUNDS, darker, HAIR, type HairColour, lighter, mix, SKIN } from './draw-palette.ts'

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

const HAIR_STYLES = { ...close, ...fuller }

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

/** Everything a portrait shows. Numbers index the palettes; `tilt` is in degrees. */
export type Portrait = {
  background: number
  skin: number
  hair: HairColour
  style: string
  outfit: Outfit
  colour: string
  under: string
  stethoscope: boolean
  glasses: 'none' | 'round' | 'square'
  beard: 'none' | 'stubble' | 'short' | 'full' | 'moustache'
  cover: 'none' | 'scarf' | 'turban'
  coverColour: string
  lines: boolean
  width: number
  tilt: number
}

const HEAD =
  'M107 128C107 86 132 68 160 68C188 68 213 86 213 128C213 170 190 205 160 205C130 205 107 170 107 128Z'

function face(skin: readonly [string, string], portrait: Portrait): string {
  const [tone, shade] = skin
  const ink = mix(shade, '#2a1a14', 0.62)
  const covered = portrait.cover === 'scarf'
  const ears = covered
    ? ''
    : `<ellipse fill="${tone}" cx="107" cy="144" rx="10" ry="15"/><ellipse fill="${shade}" cx="213" cy="144" rx="10" ry="15"/>`
  const cheek = mix(tone, '#d9603b', 0.22)
  return (
    `${ears}<path fill="${tone}" d="${HEAD}"/>` +
    `<path fill="${shade}" opacity="0.42" d="M172 69C196 74 213 92 213 128C213 170 190 205 160 205C186 196 200 164 198 128C197 100 188 80 172 69Z"/>` +
    `<ellipse fill="${cheek}" opacity="0.5" cx="130" cy="162" rx="11" ry="7"/><ellipse fill="${cheek}" opacity="0.5" cx="189" cy="162" rx="11" ry="7"/>` +
    `<ellipse fill="${ink}" cx="138" cy="143" rx="4.2" ry="5"/><ellipse fill="${ink}" cx="181" cy="143" rx="4.2" ry="5"/>` +
    `<path fill="none" stroke="${shade}" stroke-width="4" stroke-linecap="round" d="M160 148C164 156 166 161 158 164"/>` +
    `<path fill="none" stroke="${ink}" stroke-width="3.6" stroke-linecap="round" d="M145 179C153 187 167 187 175 179"/>` +
    (portrait.lines
      ? `<path fill="none" stroke="${shade}" stroke-width="2.6" stroke-linecap="round" d="M134 172C131 177 131 181 133 185M186 172C189 177 189 181 187 185"/>`
      : '')
  )
}

function brows(colour: string): string {
  return `<path fill="none" stroke="${colour}" stroke-width="4.4" stroke-linecap="round" d="M128 127C134 122 142 122 147 125M173 125C178 122 186 122 192 127"/>`
}

function beard(kind: Portrait['beard'], colour: string): string {
  const full =
    'M107 138C111 150 116 158 126 164C134 167 142 170 160 170C178 170 186 167 194 164C204 158 209 150 213 138C214 178 194 214 160 214C126 214 106 178 107 138Z'
  const mouth = `<path fill="none" stroke="${mix(colour, '#f0c2ad', 0.72)}" stroke-width="4" stroke-linecap="round" d="M147 182C154 187 166 187 173 182"/>`
  if (kind === 'stubble') return `<path fill="${colour}" opacity="0.24" d="${full}"/>`
  if (kind === 'moustache') {
    return `<path fill="${colour}" d="M160 168C150 164 140 168 135 176C144 179 154 178 160 174C166 178 176 179 185 176C180 168 170 164 160 168Z"/>`
  }
  if (kind === 'none') return ''
  const shape =
    kind === 'full' ? full.replaceAll('214', '224').replace('M107 138', 'M106 138') : full
  return `<path fill="${colour}" d="${shape}"/>${mouth}`
}

function glasses(kind: Portrait['glasses'], colour: string): string {
  const pen = `fill="#ffffff" fill-opacity="0.08" stroke="${colour}" stroke-width="3.4"`
  const bridge = `<path fill="none" stroke="${colour}" stroke-width="3.4" d="M155 142C158 139 162 139 165 142M119 140L108 138M201 140L212 138"/>`
  if (kind === 'round') {
    return `<circle ${pen} cx="138" cy="143" r="18"/><circle ${pen} cx="182" cy="143" r="18"/>${bridge}`
  }
  if (kind === 'square') {
    return `<rect ${pen} x="119" y="129" width="37" height="28" rx="9"/><rect ${pen} x="164" y="129" width="37" height="28" rx="9"/>${bridge}`
  }
  return ''
}

function scarf(colour: string): { back: string; front: string } {
  const fold = `fill="none" stroke="${darker(colour, 0.2)}" stroke-width="3.4" stroke-linecap="round"`
  return {
    back: `<path fill="${darker(colour, 0.1)}" d="M92 150C82 70 120 42 160 42C200 42 238 70 228 150C229 190 232 214 240 236L80 236C88 214 91 190 92 150Z"/>`,
    front:
      `<path fill="${colour}" fill-rule="evenodd" d="M92 156C80 72 120 42 160 42C200 42 240 72 228 156C228 188 230 208 240 226C250 246 240 256 220 262C190 272 130 272 100 262C80 256 70 246 80 226C90 208 92 188 92 156ZM160 84C132 84 116 106 115 136C114 170 134 201 160 201C186 201 206 170 205 136C204 106 188 84 160 84Z"/>` +
      `<path ${fold} d="M112 178C118 206 140 224 176 226M108 76C124 60 144 54 164 55M94 232C112 250 158 256 200 236"/>`,
  }
}

function turban(colour: string): string {
  const fold = `fill="none" stroke="${darker(colour, 0.2)}" stroke-width="3.4" stroke-linecap="round"`
  return (
    `<path fill="${colour}" d="M101 128C84 66 122 30 160 30C198 30 236 66 219 128C204 106 184 94 160 90C136 94 116 106 101 128Z"/>` +
    `<path fill="${lighter(colour, 0.14)}" d="M160 90C148 92 138 96 129 100C136 82 146 70 160 62C174 70 184 82 191 100C182 96 172 92 160 90Z"/>` +
    `<path ${fold} d="M106 108C116 76 136 56 160 48M101 90C112 62 132 46 152 40M214 108C204 76 184 56 160 48M219 90C208 62 188 46 168 40"/>`
  )
}

function hairOf(portrait: Portrait): { back: string; front: string } {
  if (portrait.cover === 'scarf') return scarf(portrait.coverColour)
  if (portrait.cover === 'turban') return { back: '', front: turban(portrait.coverColour) }
  const style = HAIR_STYLES[portrait.style]
  if (style === undefined) throw new Error(`no hairstyle ${portrait.style}`)
  return style(HAIR[portrait.hair])
}

/** Head and shoulders without a background, in a box 320 by 324 whose lower edge cuts the chest. */
export function drawBust(portrait: Portrait): string {
  const skin = SKIN[portrait.skin]
  if (skin === undefined) throw new Error(`no skin tone ${portrait.skin}`)
  const hairColour = HAIR[portrait.hair]
  const hair = hairOf(portrait)
  const turn = `translate(160 0) rotate(${portrait.tilt} 0 220) scale(${portrait.width} 1) translate(-160 0)`
  const neck =
    `<path fill="${skin[0]}" d="M134 176L186 176L186 226C186 244 134 244 134 226Z"/>` +
    `<path fill="${skin[1]}" opacity="0.75" d="M134 186C150 214 172 214 186 186L186 210C172 228 148 228 134 210Z"/>`
  const brow = portrait.hair === 'silver' ? HAIR.grey : darker(hairColour, 0.1)
  const details =
    brows(brow) +
    beard(portrait.beard, hairColour) +
    glasses(portrait.glasses, portrait.skin > 6 ? '#d8b46c' : '#3a4744')
  const head = `<g transform="${turn}">${face(skin, portrait)}${details}${hair.front}</g>`
  const clothes = drawClothes(portrait, skin[0])
  const front = portrait.cover === 'scarf' ? clothes + head : head + clothes
  return `<g transform="${turn}">${hair.back}</g>${neck}${front}`
}

/** One portrait as SVG, 320 by 320: flat shapes, two tones each, few features. */
export function drawPortrait(portrait: Portrait): string {
  const background = BACKGROUNDS[portrait.background % BACKGROUNDS.length]
  if (background === undefined) throw new Error('no background')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320">` +
    `<rect width="320" height="320" fill="${background.base}"/><circle cx="160" cy="176" r="132" fill="${background.shape}"/>` +
    `<g transform="translate(160 177) scale(1.12) translate(-160 -168)">${drawBust(portrait)}</g></svg>`
  )
}

type Outfit = 'coat' | 'scrubs' | 'shirt' | 'cardigan' | 'jacket'

type Cloth = { outfit: Outfit; colour: string; under: string; stethoscope: boolean }

const BODY =
  'M24 324C26 274 58 254 108 242C122 238 130 234 136 228L184 228C190 234 198 238 212 242C262 254 294 274 296 324Z'

const fill = (colour: string, d: string) => `<path fill="${colour}" d="${d}"/>`

const line = (colour: string, d: string) =>
  `<path fill="none" stroke="${colour}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`

/** The tubes of a stethoscope lying round the neck, and its round end. */
function stethoscope(): string {
  const tube = '#3a4744'
  return (
    `<path fill="none" stroke="${tube}" stroke-width="6" stroke-linecap="round" d="M122 240C116 268 124 288 142 300M198 240C204 262 204 276 202 288"/>` +
    `<circle fill="${lighter(tube, 0.45)}" stroke="${tube}" stroke-width="4" cx="202" cy="294" r="9"/>`
  )
}

function openOver(colour: string, under: string): string {
  return (
    fill(under, 'M120 236L136 226L184 226L200 236L186 324L134 324Z') +
    fill(colour, 'M24 324C26 274 58 254 108 242L130 232L156 324Z') +
    fill(colour, 'M296 324C294 274 262 254 212 242L190 232L164 324Z') +
    fill(darker(colour, 0.07), 'M130 232L112 240L118 268L132 270L128 284L156 324Z') +
    fill(darker(colour, 0.07), 'M190 232L208 240L202 268L188 270L192 284L164 324Z')
  )
}

function collar(colour: string): string {
  return (
    fill(colour, 'M136 226L118 242L136 266L160 250Z') +
    fill(colour, 'M184 226L202 242L184 266L160 250Z')
  )
}

const outfits: Record<Outfit, (cloth: Cloth, skin: string) => string> = {
  coat: ({ under }) =>
    openOver('#fdfdfb', under) + (under === '#ffffff' ? '' : collar(lighter(under, 0.3))),
  scrubs: ({ colour }, skin) =>
    fill(colour, BODY) +
    fill(skin, 'M132 226L188 226L160 266Z') +
    line(darker(colour, 0.22), 'M129 229L160 270L191 229'),
  shirt: ({ colour }) =>
    fill(colour, BODY) +
    line(darker(colour, 0.12), 'M160 252L160 324') +
    collar(darker(colour, 0.05)),
  cardigan: ({ colour, under }) => openOver(colour, under),
  jacket: ({ under }) => openOver('#33413f', under) + collar(lighter(under, 0.15)),
}

/** Clothes on the shoulders, drawn over the neck. */
function drawClothes(cloth: Cloth, skin: string): string {
  return outfits[cloth.outfit](cloth, skin) + (cloth.stethoscope ? stethoscope() : '')
}
