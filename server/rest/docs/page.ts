import type { RestCall } from '#server/rest/call.ts'
import { anchorOf, callSection, wordsOf } from './call-section.ts'
import { exampleSetup, guideSteps } from './guide.ts'
import { codeBlock, escaped, prose } from './html.ts'
import { chapters } from './rules.ts'

const LOGO = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" class="ground" /><path d="M9 23 15.1 9.2a1 1 0 0 1 1.8 0L23 23" class="stroke" /><circle cx="16" cy="20" r="2.4" class="dot" /></svg>`

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}

function guide(base: string): string {
  return guideSteps(base)
    .map(
      ({ id, title, words, code }, at) => `<section id="guide-${id}">
<h3><a href="#guide-${id}">${at + 1}. ${escaped(title)}</a></h3>
${words.map((one) => `<p>${prose(one)}</p>`).join('\n')}
${code === undefined ? '' : codeBlock(code, 'Shell')}
</section>`,
    )
    .join('\n')
}

function navigation(calls: readonly RestCall[], rooms: readonly string[]): string {
  const link = (id: string, text: string) => `<li><a href="#${id}">${escaped(text)}</a></li>`
  const ofRoom = (room: string) =>
    calls
      .filter((call) => call.room === room)
      .map(
        (call) =>
          `<li data-find="${wordsOf(call)}"><a href="#${anchorOf(call)}"><span class="method ${call.method.toLowerCase()}">${call.method}</span> ${escaped(call.title)}</a></li>`,
      )
      .join('')
  return `<nav id="contents" aria-label="Contents">
<label for="find">Find a call</label>
<input id="find" type="search" autocomplete="off" placeholder="slot, bank, /user/…" hidden>
<p id="found" role="status"></p>
<h2 class="begin">Begin</h2>
<ul class="begin">${link('guide', 'From nothing to a visit')}${chapters()
    .map(({ id, title }) => link(id, title))
    .join('')}</ul>
${rooms.map((room) => `<div class="room"><h2><a href="#${slug(room)}">${escaped(room)}</a></h2>\n<ul>${ofRoom(room)}</ul></div>`).join('\n')}
</nav>`
}

type Drawn = {
  calls: readonly RestCall[]
  /** Where the commands are to be sent. */
  base: string
  /** Style sheet of the site, with its colours and letters; null before anything is built. */
  styles: string | null
  isDemo: boolean
}

/** The documentation as one page that asks nobody else for anything. */
export function docsPage({ calls, base, styles, isDemo }: Drawn): string {
  const rooms = [...new Set(calls.map(({ room }) => room))]
  const links = [...(styles === null ? [] : [styles]), '/api-docs.css']
  const note = isDemo
    ? ''
    : '<p class="note">This installation is no demo: mail goes to its owner, and cards are real. Try the commands on a demo first.</p>'
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API documentation - Apposite</title>
<meta name="description" content="Every path of Apposite: register, search, hold, pay, read the history, with commands that work as they stand.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/boot.js"></script>
${links.map((href) => `<link rel="stylesheet" href="${escaped(href)}">`).join('\n')}
<script src="/api-docs.js" defer></script>
</head>
<body class="docs">
<a class="skip" href="#main">Skip to content</a>
<header><a class="home" href="/home">${LOGO} Apposite</a> <span>API documentation</span> <a class="machine" href="/openapi.json">OpenAPI 3.1</a></header>
<div class="columns">
${navigation(calls, rooms)}
<main id="main" tabindex="-1">
<h1>API documentation</h1>
<p class="lead">Everything the pages of Apposite do, a program can do. Every path answers with and without the slash at its end, in JSON, and the same rules hold wherever a call comes from.</p>
${note}
<section id="guide"><h2>From nothing to a visit</h2>
<p>Eight steps with curl: register, search, hold, pay, and read the history.</p>
${guide(base)}</section>
${chapters()
  .map(({ id, title, html }) => `<section id="${id}"><h2>${escaped(title)}</h2>\n${html}</section>`)
  .join('\n')}
<section id="examples"><h2>Variables of the examples</h2>
<p>The examples below work in the shell of the guide once these are set: the demo’s patient, provider and superuser, and a time to book.</p>
${codeBlock(exampleSetup(), 'Shell')}</section>
${rooms
  .map(
    (room) => `<section class="room" id="${slug(room)}"><h2>${escaped(room)}</h2>
${calls
  .filter((call) => call.room === room)
  .map(callSection)
  .join('\n')}</section>`,
  )
  .join('\n')}
</main>
</div>
</body>
</html>
`
}
