import { darker, lighter } from './draw-palette.ts'

export type Outfit = 'coat' | 'scrubs' | 'shirt' | 'cardigan' | 'jacket'

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

/** What the shoulders wear, drawn over the neck. */
export function drawClothes(cloth: Cloth, skin: string): string {
  return outfits[cloth.outfit](cloth, skin) + (cloth.stethoscope ? stethoscope() : '')
}
