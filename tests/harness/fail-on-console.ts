import { afterAll, afterEach, expect } from 'vitest'

// Console errors and warnings fail a test. A test that expects one mocks the method with
// `vi.spyOn(console, 'error')` and asserts the message.
const heard: string[] = []

function words(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value)
}

const { error, warn } = console

for (const [level, original] of Object.entries({ error, warn })) {
  Object.assign(console, {
    [level]: (...values: unknown[]) => {
      heard.push(`console.${level}: ${values.map(words).join(' ')}`)
      original.apply(console, values)
    },
  })
}

function expectSilence(): void {
  expect(heard.splice(0), 'nothing may be written to console.error or console.warn').toEqual([])
}

afterEach(expectSilence)
afterAll(expectSilence)
// The next file in this process installs its own listeners.
afterAll(() => void Object.assign(console, { error, warn }))
