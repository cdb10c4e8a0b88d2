import { type Example, isOwnCall, type ProcedureCall, type RestCall } from './call.ts'

/** Sample ids in the right format, for documents that are read and not run. */
const SAMPLES: Readonly<Record<string, string>> = {
  $USER_ID: `usr_${'0'.repeat(26)}`,
  $PROVIDER: `prv_${'0'.repeat(26)}`,
  $ACCOUNT: `bnk_${'0'.repeat(26)}`,
  $DATE: '02/03/2026',
  $TIME: '14:30',
  $CODE: '123456',
  $ORDER: '5O190127TN364715T',
  $SESSION: 'cs_test_1',
  $MEMBER: `usr_${'1'.repeat(26)}`,
  $PROOF: 'eyJjaGFsbGVuZ2UiOnt9fQ==',
  $AMOUNT: '60.00',
  $VISIT: `apt_${'0'.repeat(26)}`,
  $DESK_VISIT: `dsk_${'0'.repeat(26)}`,
  $LINK: `cal_${'0'.repeat(26)}`,
  $REFUND: '60.00',
  $NEW_DATE: '03/03/2026',
  $NEW_TIME: '10:30',
}

function filled(value: unknown): unknown {
  if (typeof value === 'string') return SAMPLES[value] ?? value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one)]))
}

/** The example of a call with sample values in place of shell variables. */
export function filledExample({ example }: RestCall): Pick<Example, 'answer'> & { body?: unknown } {
  const { body, answer } = example
  return body === undefined ? { answer } : { answer, body: filled(body) }
}

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
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'x')
  return `"$BASE${address}"`
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
