import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { clearPrivateQueries } from './use-me.ts'

test('the next user finds nothing of the one before in the cache, but the searches', () => {
  const client = new QueryClient()
  const personal = [
    [['visits', 'byLink'], { type: 'query' }],
    [['accessTokens', 'list'], { type: 'query' }],
    [['calendars', 'list'], { type: 'query' }],
    [['reminders', 'settings'], { type: 'query' }],
    [['auth', 'me'], { type: 'query' }, 'usr_1'],
  ]
  const search = [['search', 'providers'], { input: { postcode: 'SE1 6ET' }, type: 'query' }]
  for (const key of [...personal, search]) client.setQueryData(key, 'cached')
  clearPrivateQueries(client)
  expect(personal.map((key) => client.getQueryData(key))).toEqual(personal.map(() => undefined))
  expect(client.getQueryData(search)).toBe('cached')
})
