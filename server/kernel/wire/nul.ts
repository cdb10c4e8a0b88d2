import { AppError } from '#server/kernel/errors.ts'

/** The path of the first text with a NUL; null when there is none. The nesting is already bounded. */
function findNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('\0') ? path : findNul(inner, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}

/**
 * Refuses a text with a NUL as `invalid_input`, at its path: nobody types one, and Postgres can't store it.
 * Runs after schema validation, so that a field's own message takes precedence.
 */
export function assertNoNul(value: unknown): void {
  const path = findNul(value, '')
  if (path === null) return
  const issues = [{ path, message: 'Use plain letters, digits and signs.' }]
  throw new AppError('invalid_input', {}, { issues })
}
