import type { OwnCall, RestCall } from './call.ts'
import { openApiOf } from './openapi.ts'

const own = { source: 'added', status: 200, refusals: [], procedures: [], method: 'GET' } as const

/** `calls` is the whole table: a document about it stands in it, so it is asked for late. */
export function documentCalls(calls: () => readonly RestCall[]): readonly OwnCall[] {
  const room = 'The server'
  const openApi: OwnCall = {
    ...own,
    room,
    path: '/openapi.json',
    title: 'This documentation for programs',
    about: 'An OpenAPI 3.1 document made of the same table that serves the calls.',
    example: { answer: { openapi: '3.1.0', info: { title: 'Apposite', version: '1.0.0' } } },
    type: 'application/json',
    answer: { type: 'object' },
    make: (_services, answers) => {
      let text: string | undefined
      return (request) => {
        text ??= JSON.stringify(openApiOf(calls()))
        const headers = {
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
        }
        return Promise.resolve(answers.cacheable(request, text, headers))
      }
    },
  }
  return [openApi]
}
