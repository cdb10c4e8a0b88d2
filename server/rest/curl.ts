import type { Example, ProcedureCall, RestCall } from './call.ts'
import { isOwnCall } from './call.ts'

const TOKENS = {
  patient: '$PATIENT_TOKEN',
  provider: '$PROVIDER_TOKEN',
  staff: '$STAFF_TOKEN',
  refresh: '$REFRESH',
} as const

/** A shell argument in which variables are expanded and everything else is literal. */
function quoted(value: string): string {
  if (value.includes('$')) return `"${value}"`
  return /^[\w./=:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

function addressOf({ path }: RestCall, { params = {} }: Example): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x')
  return `"$BASE${filled}"`
}

function queryLines({ query = {} }: Example): string[] {
  return Object.entries(query).map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
  )
}

function bodyLines(call: RestCall, { body, files = {} }: Example): string[] {
  const parts = Object.entries(files).map(([name, file]) => `-F ${name}=@${file}`)
  if (typeof body === 'string') return [`-H 'Content-Type: text/plain' -d ${quoted(body)}`]
  if (body !== undefined) return [`-H 'Content-Type: application/json' -d @- <<END`]
  if (parts.length > 0) return parts
  return call.method === 'POST' ? ['-X POST'] : []
}

/** For methods other than GET the query goes into the URL, because curl would send it as the body. */
function withQuery(address: string, { query = {} }: Example): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? address : `${address.slice(0, -1)}?${pairs.join('&')}"`
}

function requestOf(call: RestCall): string {
  const { example, method } = call
  const isGet = method === 'GET'
  const flags = isGet && example.query !== undefined ? '-sG' : '-s'
  const address = addressOf(call, example)
  const named = method === 'PATCH' || method === 'DELETE' ? ` -X ${method}` : ''
  const lines = [
    `curl ${flags}${named} ${isGet ? address : withQuery(address, example)}`,
    ...(example.as === undefined ? [] : [`-H "Authorization: Bearer ${TOKENS[example.as]}"`]),
    ...(isGet ? queryLines(example) : bodyLines(call, example)),
  ]
  const command = lines.join(' \\\n  ')
  if (typeof example.body !== 'object') return command
  return `${command}\n${JSON.stringify(example.body, null, 2)}\nEND`
}

/** A call as shell commands that use the variables of the guide. */
export function curlOf(call: RestCall): string {
  const { before = [], keep } = call.example
  const request = requestOf(call)
  if (keep === undefined) return [...before, request].join('\n')
  const variables = Object.entries(keep).map(
    ([name, field]) => `${name}=$(echo "$ANSWER" | field ${field})`,
  )
  return [...before, `ANSWER=$(${request}\n)`, 'echo "$ANSWER"', ...variables].join('\n')
}

/** Whether the example of a call runs when pasted into the guide's shell. */
export function isRunnable(call: RestCall): call is ProcedureCall {
  return !isOwnCall(call) && call.example.isForReading === undefined
}
