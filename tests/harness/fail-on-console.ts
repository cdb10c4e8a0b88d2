import { afterAll, afterEach, expect } from 'vitest'

// Console errors and warnings fail a test. A test that expects one mocks the method with
// `vi.spyOn(console, 'error')` and asserts the message.
const messages: string[] = []

function textOf(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : String(value)
}

const { error, warn } = console

for (const [level, original] of Object.entries({ error, warn })) {
  Object.assign(console, {
    [level]: (...values: unknown[]) => {
      messages.push(`console.${level}: ${values.map(textOf).join(' ')}`)
      original.apply(console, values)
    },
  })
}

function expectNoMessages(): void {
  expect(messages.splice(0), 'nothing may be written to console.error or console.warn').toEqual([])
}

afterEach(expectNoMessages)
afterAll(expectNoMessages)
// The next file in this process installs its own listeners.
afterAll(() => void Object.assign(console, { error, warn }))
