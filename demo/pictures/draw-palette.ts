/** A background and the softer shape on it, from the product's own palette. */
export type Ground = { base: string; shape: string; ink: string }

/** Quiet enough for a light page, deep enough to stand out on a dark one. */
export const BACKGROUNDS: readonly Ground[] = [
  { base: '#dcebe4', shape: '#c6dfd4', ink: '#0b6b5b' },
  { base: '#f4e7d4', shape: '#ead6b8', ink: '#7a5424' },
  { base: '#f7dfd3', shape: '#efcab7', ink: '#9a3f1b' },
  { base: '#dde7ef', shape: '#c7d7e5', ink: '#1f5c9e' },
  { base: '#e5e9d6', shape: '#d2dbbb', ink: '#55652a' },
  { base: '#e8e1eb', shape: '#d6cade', ink: '#5f4a78' },
  { base: '#f7ecc9', shape: '#eedba5', ink: '#7a5a08' },
  { base: '#c9e2da', shape: '#aed2c6', ink: '#084c41' },
]

/** Face and the tone of its shadow, light to dark in five bands of two. */
export const SKIN: readonly (readonly [face: string, shadow: string])[] = [
  ['#f7d9c4', '#eabfa4'],
  ['#f3cdb0', '#e3b18f'],
  ['#eabf98', '#d6a379'],
  ['#e0ad82', '#c99167'],
  ['#cf9668', '#b57c4f'],
  ['#bd8154', '#a16a40'],
  ['#a26a42', '#875433'],
  ['#8a5735', '#704427'],
  ['#70452b', '#593520'],
  ['#5b3724', '#462919'],
]

export const HAIR = {
  black: '#2a2422',
  soft: '#3b2e2a',
  brown: '#5a3d2b',
  chestnut: '#7a4a2c',
  auburn: '#9a5330',
  blond: '#cfa468',
  grey: '#a9a6a0',
  silver: '#d5d2cb',
} as const

export type HairColour = keyof typeof HAIR

export const SCRUBS = ['#0b6b5b', '#2f6f8f', '#3d4f7c', '#6d4a72', '#8a4a3c'] as const
export const KNITS = ['#b8643f', '#4f7a6c', '#8a7a4e', '#5c6f94', '#94586a', '#3f5a54'] as const
export const SHIRTS = ['#ffffff', '#dbe8f1', '#f3e3d6', '#dfeae3', '#e9e2ee', '#2f4a45'] as const
export const SCARVES = ['#0b6b5b', '#a9673f', '#5f6f8f', '#b58a8f', '#d9c9ac', '#43565a'] as const

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** The colour `share` of the way from one `#rrggbb` to another. */
export function mix(from: string, to: string, share: number): string {
  const end = channels(to)
  const blended = channels(from).map((part, at) =>
    Math.round(part + ((end[at] ?? part) - part) * share),
  )
  return `#${blended.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

export const darker = (colour: string, share = 0.14) => mix(colour, '#14211d', share)
export const lighter = (colour: string, share = 0.18) => mix(colour, '#ffffff', share)
