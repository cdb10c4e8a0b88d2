import { expect, test } from 'vitest'
import { randomFor } from '#demo/random.ts'
import { chooseMonogram, choosePortrait, type Sitter } from './portraits.ts'

const sitters: Sitter[] = (['female', 'male'] as const).flatMap((gender) =>
  [0, 1, 2, 3, 4].flatMap((tone) =>
    [true, false].flatMap((older): Sitter[] => [
      { gender, tone, older, cover: 'none' },
      { gender, tone, older, cover: gender === 'female' ? 'scarf' : 'turban' },
    ]),
  ),
)

function drawPortraits(sitter: Sitter, times: number): Map<string, string> {
  const random = randomFor(1)
  const pictures = Array.from({ length: times }, () => choosePortrait(sitter, random))
  return new Map(pictures.map((picture) => [picture.key, picture.draw()]))
}

test('there are about four hundred different people', () => {
  const plain = sitters.filter((sitter) => sitter.cover === 'none')
  const drawings = plain.flatMap((sitter) => [...drawPortraits(sitter, 400).values()])
  expect(new Set(drawings).size).toBe(drawings.length)
  expect(drawings.length).toBeGreaterThan(350)
})

test('everybody can be drawn, with valid numbers only', () => {
  for (const sitter of sitters) {
    for (const svg of drawPortraits(sitter, 60).values()) {
      expect(svg).not.toMatch(/NaN|undefined|null/)
      expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 320 320"/)
    }
  }
})

test('the same person and random seed give the same picture', () => {
  const [sitter] = sitters
  if (sitter === undefined) throw new Error('no people')
  const first = choosePortrait(sitter, randomFor(3))
  const second = choosePortrait(sitter, randomFor(3))
  expect(second.key).toBe(first.key)
  expect(second.draw()).toBe(first.draw())
})

test('a monogram drops accents and hyphens', () => {
  expect(chooseMonogram('Élodie', '’Şahin').key).toBe('monogram-ES')
  expect(chooseMonogram('Ada', 'Zajac').draw().match(/<path/g)).toHaveLength(2)
})
