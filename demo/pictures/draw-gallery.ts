import { darker, lighter } from './draw-palette.ts'
import { drawBust, type Portrait } from './draw-portrait.ts'
import {
  archWindow,
  armchair,
  at,
  type Cloth,
  clock,
  disc,
  pendant,
  plant,
  rect,
  shape,
  shelf,
  sprig,
  stroke,
} from './draw-scene.ts'

function picture(...parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000" width="1600" height="1000">${parts.join('')}</svg>`
}

/** A room from the front: wall, panelling and floor. */
function room(wall: string, floor: string): string {
  return (
    rect(wall, [0, 0, 1600, 1000]) +
    rect(darker(wall, 0.06), [0, 600, 1600, 400]) +
    rect(darker(wall, 0.12), [0, 592, 1600, 12]) +
    rect(floor, [0, 850, 1600, 150]) +
    rect(darker(floor, 0.08), [0, 850, 1600, 10])
  )
}

const SAGE: Cloth = ['#6fa592', '#5b917e', '#85b6a4']
const SAND: Cloth = ['#e0bd86', '#cfa870', '#ebcc9c']

function sideTable(): string {
  return (
    rect('#8a5a38', [-12, -150, 24, 150, 8]) +
    rect('#a06c45', [-86, -166, 172, 22, 11]) +
    rect('#8a5a38', [-60, -12, 120, 14, 7]) +
    at({ x: -10, y: -250, scale: 0.62 }, sprig('#4f937d', 3)) +
    shape(
      '#fbf3e6',
      'M-36 -250C-26 -236 -44 -214 -44 -196C-44 -166 24 -166 24 -196C24 -214 6 -236 16 -250Z',
    )
  )
}

/** A picture in a frame, 0,0 at its middle. */
function framed(colour: string): string {
  return (
    rect('#fbfaf7', [-92, -116, 184, 232, 6]) +
    rect(colour, [-74, -98, 148, 196]) +
    disc(lighter(colour, 0.45), [26, -42, 30]) +
    shape(darker(colour, 0.2), 'M-74 98L-74 34C-30 -10 10 -4 74 44L74 98Z')
  )
}

/** A waiting room: two chairs by a window. */
function drawWaitingRoom(): string {
  return picture(
    room('#f7dfd3', '#e9d3b4'),
    at({ x: 800, y: 640, scale: 0.96 }, archWindow()),
    at({ x: 330, y: 0 }, pendant(96, '#0b6b5b')),
    at({ x: 1270, y: 0 }, pendant(96, '#0b6b5b')),
    at({ x: 330, y: 420 }, framed('#8fb8a8')),
    at({ x: 1270, y: 420 }, framed('#d98f62')),
    rect('#efe2cf', [250, 880, 1100, 70, 35]),
    at({ x: 400, y: 920, scale: 1.24 }, armchair(SAGE)),
    at({ x: 800, y: 930, scale: 1.14 }, sideTable()),
    at({ x: 1200, y: 920, scale: 1.24 }, armchair(SAND)),
    at({ x: 112, y: 960, scale: 1.1 }, plant('#b8643f', '#3f8b74')),
    at({ x: 1508, y: 960, scale: 0.94 }, plant('#fbf3e6', '#5b9a7f')),
  )
}

const DENTIST: Portrait = {
  background: 3,
  skin: 7,
  hair: 'black',
  style: 'curly',
  outfit: 'scrubs',
  colour: '#2f6f8f',
  under: '#dbe8f1',
  stethoscope: false,
  glasses: 'square',
  beard: 'none',
  cover: 'none',
  coverColour: '#0b6b5b',
  lines: false,
  width: 1,
  tilt: 3,
}

function table(): string {
  return (
    rect('#c99a6b', [180, 800, 1240, 44, 18]) +
    rect('#b5855a', [180, 828, 1240, 16, 8]) +
    rect('#d9b78d', [240, 844, 1120, 156]) +
    rect('#c9a57a', [240, 844, 1120, 12]) +
    stroke('#c9a57a', 5, 'M613 866L613 1000M987 866L987 1000')
  )
}

function onTable(): string {
  const folder =
    rect('#0b6b5b', [-110, -22, 220, 22, 5]) +
    rect('#fbfaf7', [-102, -34, 204, 12, 3]) +
    rect('#d98f62', [-96, -54, 192, 20, 5])
  const cup =
    rect('#e9c98c', [-34, -66, 68, 66, 14]) + stroke('#e9c98c', 10, 'M34 -50C62 -50 62 -16 34 -18')
  const jar =
    at({ x: 0, y: -80, scale: 0.8 }, sprig('#6aa88f', 4)) +
    shape('#efcab7', 'M-38 -94C-22 -78 -44 -44 -44 -24C-44 0 44 0 44 -24C44 -44 22 -78 38 -94Z')
  return (
    at({ x: 470, y: 800 }, folder) + at({ x: 1080, y: 800 }, cup) + at({ x: 1260, y: 800 }, jar)
  )
}

/** A dentist at her table, ready to listen. */
function drawConsultingRoom(): string {
  return picture(
    room('#dde7ef', '#dcc7a8'),
    rect('#c7d7e5', [0, 592, 1600, 12]),
    at({ x: 330, y: 590, scale: 0.78 }, archWindow()),
    at({ x: 1130, y: 360 }, shelf()),
    at({ x: 800, y: 150, scale: 0.9 }, clock()),
    at({ x: 1480, y: 940, scale: 1.15 }, plant('#fbf3e6', '#3f8b74')),
    at({ x: 480, y: 300, scale: 1.9 }, drawBust(DENTIST)),
    table(),
    onTable(),
  )
}

function house(wall: string, roof: string, [w, h]: readonly [number, number]): string {
  const windows = [-0.26, 0.26].flatMap((x) =>
    [0.34, 0.68].map((y) => rect('#fff1cf', [x * w - 26, -h * y - 34, 52, 64, 6])),
  )
  return (
    rect(wall, [-w / 2, -h, w, h]) +
    shape(roof, `M${-w * 0.56} ${-h}L0 ${-h - w * 0.42}L${w * 0.56} ${-h}Z`) +
    windows.join('')
  )
}

function practice(): string {
  return (
    rect('#fbf3e6', [-260, -360, 520, 360]) +
    rect('#0b6b5b', [-290, -392, 580, 44, 10]) +
    rect('#084c41', [-290, -364, 580, 16, 6]) +
    rect('#bfe0d5', [-220, -280, 150, 150, 10]) +
    rect('#bfe0d5', [70, -280, 150, 150, 10]) +
    stroke('#fbfaf7', 10, 'M-145 -280L-145 -130M145 -280L145 -130') +
    shape('#b4471b', 'M-50 0L-50 -190C-50 -226 50 -226 50 -190L50 0Z') +
    disc('#ffe3a6', [28, -90, 8]) +
    rect('#e1d9c8', [-84, -14, 168, 28, 8]) +
    at({ x: -170, y: 6, scale: 0.5 }, plant('#b8643f', '#3f8b74')) +
    at({ x: 170, y: 6, scale: 0.5 }, plant('#b8643f', '#3f8b74'))
  )
}

function tree(x: number, scale: number): string {
  return at(
    { x, y: 860, scale },
    rect('#7a4a2c', [-14, -150, 28, 150, 8]) +
      disc('#5b9a7f', [0, -230, 118]) +
      disc('#6fae93', [-40, -270, 74]) +
      disc('#4f8a72', [54, -200, 66]),
  )
}

/** The practice in its street, in the morning. */
function drawStreet(): string {
  return picture(
    rect('#fbe6cd', [0, 0, 1600, 1000]),
    disc('#fff3d8', [1220, 250, 150]),
    disc('#ffe3a6', [1220, 250, 100]),
    shape('#bcd8cb', 'M0 560C260 420 520 470 800 540C1080 440 1360 430 1600 540L1600 900L0 900Z'),
    shape('#93bfae', 'M0 660C300 560 560 600 820 650C1100 580 1360 590 1600 660L1600 900L0 900Z'),
    at({ x: 250, y: 860 }, house('#efd2bb', '#8d4a2e', [300, 380])),
    at({ x: 1370, y: 860 }, house('#e8e1eb', '#5f4a78', [320, 340])),
    at({ x: 1110, y: 860 }, house('#f4e3cc', '#a9573a', [230, 440])),
    at({ x: 480, y: 860 }, house('#dde7ef', '#51605a', [240, 430])),
    at({ x: 800, y: 860 }, practice()),
    rect('#d2dbbb', [0, 850, 1600, 40]),
    rect('#c9c3b4', [0, 886, 1600, 114]),
    rect('#b9b2a2', [0, 886, 1600, 10]),
    tree(80, 1.05),
    tree(1530, 0.95),
  )
}

/** Morning light on hills: a calm background for text. */
function drawHills(): string {
  return picture(
    rect('#e3f1ec', [0, 0, 1600, 1000]),
    disc('#fff3d8', [420, 330, 210]),
    disc('#ffe9b8', [420, 330, 140]),
    shape('#cfe6dc', 'M0 520C300 380 620 430 880 520C1140 420 1400 400 1600 500L1600 1000L0 1000Z'),
    shape('#aed2c6', 'M0 660C260 540 560 560 840 650C1120 560 1380 570 1600 650L1600 1000L0 1000Z'),
    shape('#7fb5a3', 'M0 800C300 690 640 710 900 780C1160 710 1400 710 1600 790L1600 1000L0 1000Z'),
    shape('#4f937d', 'M0 930C320 850 660 860 960 910C1220 860 1440 870 1600 920L1600 1000L0 1000Z'),
    at({ x: 1190, y: 830, scale: 0.5 }, house('#fbf3e6', '#b4623d', [230, 220])),
    at({ x: 1330, y: 850, scale: 0.42 }, house('#f4e3cc', '#8d4a2e', [230, 260])),
    at({ x: 250, y: 960, scale: 0.9 }, sprig('#3f8b74', 5)),
    at({ x: 330, y: 980, scale: 0.7 }, sprig('#6aa88f', 4)),
  )
}

export type GalleryDrawing = { key: string; alt: string; draw: () => string }

/** The demo's gallery besides the homepage picture, all 1600 by 1000. */
export const GALLERY_DRAWINGS: readonly GalleryDrawing[] = [
  { key: 'hills', alt: 'Morning light on green hills', draw: drawHills },
  { key: 'street', alt: 'A practice with a red door in a street of houses', draw: drawStreet },
  {
    key: 'consulting room',
    alt: 'A dentist in blue at her table in a bright room',
    draw: drawConsultingRoom,
  },
  { key: 'waiting room', alt: 'Two armchairs by an arched window', draw: drawWaitingRoom },
]

const STAFF: Portrait = {
  background: 0,
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
