import { sentenceFor } from '#contract/sentences.ts'
import { statusOf } from '#server/failures.ts'
import { accessTable, type Principal } from '#server/kernel/access.ts'
import { isOwnCall, type ProcedureCall, type RestCall } from '#server/rest/call.ts'
import { isOpen } from '#server/rest/openapi.ts'
import { jsonSchemaOf } from '#server/rest/schema-text.ts'
import { curlOf } from './curl.ts'
import { codeBlock, escaped, prose, table } from './html.ts'
import { fieldRows } from './types.ts'

/** The name a call is linked by. */
export function anchorOf({ method, path }: RestCall): string {
  const words = path
    .replaceAll(/[{}]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return [method.toLowerCase(), ...words].join('-')
}

const KINDS: [who: string, principals: Principal[]][] = [
  ['patients', ['patient']],
  ['providers', ['provider']],
  ['all staff', ['superuser', 'admin', 'editor', 'author']],
  ['superusers, admins or editors', ['superuser', 'admin', 'editor']],
  ['superusers or admins', ['superuser', 'admin']],
  ['superusers', ['superuser']],
]

/** What a call is found by. */
export function wordsOf({ method, path, title, about }: RestCall): string {
  return escaped(`${method} ${path} ${title} ${about}`.toLowerCase())
}

/** Who may make a call, by the matrix rows of the procedures behind it. */
function whoMay(call: RestCall): string {
  if (call.who !== undefined) return call.who
  if (isOwnCall(call)) return call.room === 'Webhooks' ? 'the gateway, by its signature' : 'anybody'
  if (isOpen(call)) return 'anybody'
  const may = new Set(call.procedures.flatMap((path) => accessTable.get(path)?.may ?? []))
  const names: string[] = []
  for (const [who, principals] of KINDS) {
    if (!principals.every((one) => may.has(one))) continue
    names.push(who)
    for (const one of principals) may.delete(one)
  }
  const own = call.own === null ? '' : ', their own only'
  return `${names.join(', ')}${own}`
}

function section(title: string, rows: string[][]): string {
  return rows.length === 0 ? '' : `<h4>${title}</h4>\n${table(['Field', 'What', 'Notes'], rows)}`
}

function fieldTables(call: ProcedureCall): string {
  const { query, body } = call.schemas
  const { json, form, text } = body
  return [
    section('Query', fieldRows(jsonSchemaOf(query, 'input'))),
    json === undefined ? '' : section('Body, JSON', fieldRows(jsonSchemaOf(json, 'input'))),
    form === undefined ? '' : section('Body, a form', fieldRows(jsonSchemaOf(form, 'input'))),
    text === undefined
      ? ''
      : '<h4>Body</h4>\n<p>The number by itself, as <code>text/plain</code>.</p>',
  ].join('\n')
}

function answerTable(call: ProcedureCall): string {
  const rows = fieldRows(jsonSchemaOf(call.schemas.answer, 'output')).map(
    ([name = '', ...rest]) => [name.replace(/ <span class="optional">.*<\/span>/, ''), ...rest],
  )
  if (rows.length === 0) return ''
  return `<details><summary>Fields of the answer</summary>\n${table(['Field', 'What', 'Notes'], rows)}</details>`
}

function refusalTable({ refusals }: RestCall): string {
  if (refusals.length === 0) return ''
  const rows = refusals.map((code) => [
    String(statusOf(code)),
    `<code>${code}</code>`,
    escaped(sentenceFor(code)),
  ])
  return `<h4>Refusals</h4>\n${table(['Status', 'Code', 'Sentence'], rows)}`
}

/** Everything about one call: what it is for, who may, what it takes, an example, what comes back. */
export function callSection(call: RestCall): string {
  const id = anchorOf(call)
  const added = call.source === 'added' ? ' <span class="chip">added</span>' : ''
  const old =
    !isOwnCall(call) && 'deprecation' in call.headers ? ' <span class="chip">deprecated</span>' : ''
  return `<section class="call" id="${id}" data-find="${wordsOf(call)}">
<h3><a href="#${id}">${escaped(call.title)}</a>${added}${old}</h3>
<p class="line"><span class="method ${call.method.toLowerCase()}">${call.method}</span> <code>${escaped(call.path)}</code></p>
<p>${prose(call.about)}</p>
<p class="who">For ${escaped(whoMay(call))}.</p>
${isOwnCall(call) ? '' : fieldTables(call)}
${isOwnCall(call) && call.method === 'POST' ? '' : codeBlock(curlOf(call), 'Example')}
${codeBlock(JSON.stringify(call.example.answer, null, 2), `Answer, ${call.status}`)}
${isOwnCall(call) ? '' : answerTable(call)}
${refusalTable(call)}
</section>`
}
