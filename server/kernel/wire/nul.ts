import { AppError } from '#server/kernel/errors.ts'

/** Where a text has a NUL in it, as a path; null when none has. The nesting is bounded already. */
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
 * Refuses a text with a NUL as `invalid_input`, at its path: nobody writes one, and Postgres keeps none.
 * For input that its schema has taken, so that a field that has words of its own says them.
 */
export function assertNoNul(value: unknown): void {
  const path = findNul(value, '')
  if (path === null) return
  const issues = [{ path, message: 'Use plain letters, digits and signs.' }]
  throw new AppError('invalid_input', {}, { issues })
}
