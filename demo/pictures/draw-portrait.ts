import { HAIR_STYLES } from './draw-hair.ts'
import { darker, GROUNDS, HAIR, type HairColour, lighter, mix, SKIN } from './draw-palette.ts'

/** Everything a portrait shows. Numbers index the palettes; `tilt` is in degrees. */
export type Portrait = {
  ground: number
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

/** One portrait as SVG, 320 by 320: flat shapes, two tones each, hardly any features. */
export function drawPortrait(portrait: Portrait): string {
  const ground = GROUNDS[portrait.ground % GROUNDS.length]
  if (ground === undefined) throw new Error('no ground')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320">` +
    `<rect width="320" height="320" fill="${ground.base}"/><circle cx="160" cy="176" r="132" fill="${ground.shape}"/>` +
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
