import { expect, vi } from 'vitest'
import { test } from '#tests/harness/spa/spa-bridge.ts'

function profileUrl(id: string): string {
  return `/trpc/search.provider?input=${encodeURIComponent(JSON.stringify({ id }))}`
}

test('a browser test reaches the real router and its own data', async ({ testApp }) => {
  const provider = await testApp.addProvider({ first_name: 'Zoë' })
  const answer = await fetch(profileUrl(provider.id))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('Zoë')
})

test('a test cannot reach another test’s backend', async () => {
  // Ids count from one in every test app: this is the id the provider above had.
  const answer = await fetch(profileUrl(`prv_${'1'.padStart(26, '0')}`))
  expect(answer.status).toBe(404)
})

test('requests are validated by the real contract', async () => {
  const body = JSON.stringify({ first_name: 'Zoë', last_name: 'Ü', email: 'not an address' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('/trpc/messages.contact', { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
  const text = await answer.text()
  expect(text).toContain('Enter a valid email address.')
  expect(text).not.toContain('Enter your first name.')
})

test('a request to another host fails the test', async () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
  await expect(fetch('https://maps.example/tile.png')).rejects.toThrow('fetch')
  expect(complaint.mock.calls.join('\n')).toContain('https://maps.example/tile.png')
  complaint.mockRestore()
})

test('the browser’s time zone is UTC, so clinic times need an explicit zone', () => {
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('UTC')
})
