import { armchair, clock, shelf } from './draw-furniture.ts'
import { drawBust, type Portrait } from './draw-portrait.ts'
import { archWindow, at, disc, pendant, plant, rect, shape, sprig, stroke } from './draw-scene.ts'

const STAFF: Portrait = {
  ground: 0,
  skin: 5,
  hair: 'black',
  style: 'bob',
  outfit: 'cardigan',
  colour: '#b8643f',
  under: '#fbf3e6',
  stethoscope: false,
  glasses: 'none',
  beard: 'none',
  cover: 'none',
  coverColour: '#0b6b5b',
  lines: false,
  width: 1,
  tilt: -4,
}

const DOCTOR: Portrait = {
  ...STAFF,
  skin: 1,
  hair: 'grey',
  style: 'side',
  outfit: 'coat',
  under: '#dbe8f1',
  stethoscope: true,
  glasses: 'round',
  beard: 'short',
  lines: true,
  tilt: 4,
}

/** A person at the desk, seen from behind: a coat, a scarf and a bun need no face. */
function visitor(): string {
  return (
    shape(
      '#2f6459',
      'M-196 520C-204 250 -190 108 -96 70C-50 54 50 54 96 70C190 108 204 250 196 520Z',
    ) +
    shape('#285549', 'M60 58C176 92 204 240 196 520L120 520C132 340 120 160 60 58Z') +
    stroke('#24493f', 5, 'M0 96L0 520') +
    shape('#cf9668', 'M-34 -30L34 -30L38 70L-38 70Z') +
    shape('#d9774a', 'M-92 70C-70 30 70 30 92 70C96 104 60 124 0 124C-60 124 -96 104 -92 70Z') +
    shape('#bf6238', 'M20 40C74 44 96 62 92 78C94 108 54 124 0 124C44 112 52 70 20 40Z') +
    shape(
      '#4a3226',
      'M-84 -92C-88 -172 -44 -206 0 -206C44 -206 88 -172 84 -92C82 -30 50 18 0 18C-50 18 -82 -30 -84 -92Z',
    ) +
    shape('#3b2820', 'M26 -202C66 -192 86 -158 84 -92C82 -30 50 18 0 18C48 -24 58 -126 26 -202Z') +
    disc('#4a3226', [0, -176, 46]) +
    shape(
      '#3b2820',
      'M14 -220C44 -212 54 -176 38 -152C30 -138 16 -132 4 -131C26 -152 30 -192 14 -220Z',
    ) +
    stroke('#5d4131', 5, 'M-54 -128C-40 -150 -24 -160 -10 -162M-50 -60C-36 -24 -20 -8 -6 0')
  )
}

function desk(): string {
  const ribs = Array.from({ length: 25 }, (_, no) =>
    stroke('#0a5f51', 6, `M${440 + no * 48} 776L${440 + no * 48} 1000`),
  ).join('')
  return (
    shape('#0b6b5b', 'M400 752L1640 752L1640 1010L420 1010C408 930 402 830 400 752Z') +
    ribs +
    rect('#d9a877', [360, 706, 1300, 52, 16]) +
    rect('#c08f61', [360, 740, 1300, 18, 9])
  )
}

function monitor(): string {
  return (
    rect('#51605a', [86, 118, 28, 60]) +
    rect('#51605a', [44, 168, 112, 14, 7]) +
    rect('#33413f', [0, 0, 200, 132, 14]) +
    rect('#3f4f4c', [10, 10, 180, 112, 8])
  )
}

function onDesk(): string {
  const bell =
    shape('#e4b453', 'M-40 0C-40 -40 40 -40 40 0Z') +
    rect('#8a6a2c', [-48, -2, 96, 12, 6]) +
    disc('#8a6a2c', [0, -36, 7])
  const cup =
    rect('#e9c98c', [-30, -58, 60, 58, 12]) +
    stroke('#e9c98c', 9, 'M30 -44C54 -44 54 -14 30 -16') +
    rect('#fbf3e6', [-30, -38, 60, 9])
  const vase =
    at(
      { x: 0, y: -70, scale: 0.72 },
      `<g transform="rotate(-16)">${sprig('#4f937d', 3)}</g><g transform="rotate(13)">${sprig('#6aa88f', 4)}</g>`,
    ) + shape('#efcab7', 'M-34 -84C-20 -70 -40 -40 -40 -22C-40 0 40 0 40 -22C40 -40 20 -70 34 -84Z')
  return (
    at({ x: 770, y: 708, scale: 0.8 }, bell) +
    at({ x: 1000, y: 708, scale: 0.8 }, cup) +
    at({ x: 1522, y: 708 }, vase)
  )
}

/** The homepage picture, 1600 by 1000: a calm reception. Phones show only the middle square. */
export function drawHero(): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000" width="1600" height="1000">` +
    rect('#e0eee7', [0, 0, 1600, 1000]) +
    rect('#d2e5dc', [0, 640, 1600, 360]) +
    rect('#c2dacf', [0, 632, 1600, 12]) +
    rect('#e9d3b4', [0, 880, 1600, 120]) +
    rect('#dcc29d', [0, 880, 1600, 10]) +
    at({ x: 440, y: 690, scale: 0.98 }, archWindow()) +
    at({ x: 800, y: 0 }, pendant(64, '#b4623d')) +
    at({ x: 1120, y: 0, scale: 0.9 }, pendant(16, '#0b6b5b')) +
    at({ x: 1180, y: 330 }, shelf()) +
    at({ x: 962, y: 226 }, clock()) +
    at({ x: 232, y: 936 }, armchair()) +
    at({ x: 20, y: 990, scale: 1.05 }, plant('#fbf3e6', '#3f8b74')) +
    at({ x: 936, y: 308, scale: 1.28 }, drawBust(DOCTOR)) +
    at({ x: 688, y: 352, scale: 1.2 }, drawBust(STAFF)) +
    at({ x: 1248, y: 556, scale: 0.86 }, monitor()) +
    desk() +
    onDesk() +
    at({ x: 520, y: 590, scale: 1 }, visitor()) +
    `</svg>`
  )
}
