import { afterAll, afterEach, expect } from 'vitest'

// A warning nobody reads is a defect nobody mends. A test that expects one takes the method over
// with `vi.spyOn(console, 'error')` and says what it expects.
const heard: string[] = []

function words(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value)
}

for (const level of ['error', 'warn'] as const) {
  const original = console[level].bind(console)
  console[level] = (...values: unknown[]) => {
    heard.push(`console.${level}: ${values.map(words).join(' ')}`)
    original(...values)
  }
}

function expectSilence(): void {
  expect(heard.splice(0), 'nothing may be written to console.error or console.warn').toEqual([])
}

afterEach(expectSilence)
afterAll(expectSilence)
