import { expect, test } from 'vitest'
import { readReference, referenceOf } from './ids.ts'

const ID = 'apt_0123456789abcdefghjk7k3m2q'

test('a reference is the last six characters of an id, in groups', () => {
  expect(referenceOf(ID)).toBe('AP-7K3M-2Q')
})

test.each([
  ['AP-7K3M-2Q', 'AP-7K3M-2Q'],
  [' ap 7k3m 2q ', 'AP-7K3M-2Q'],
  ['7k3m2q', 'AP-7K3M-2Q'],
  // O, I and L look like digits, so the alphabet has none of the three.
  ['AP-OIL0-12', 'AP-0110-12'],
  ['APO1L2', 'AP-AP01-12'],
])('%j is read as %s', (typed, reference) => {
  expect(readReference(typed)).toBe(reference)
})

test.each(['', 'AP-7K3', 'AP-7K3M-2U', 'Maya Ellis', ID, 'AP-7K3M-2Q-2Q'])(
  '%j is not a reference',
  (typed) => {
    expect(readReference(typed)).toBeNull()
  },
)
