import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { visitUrl } from '#server/booking/visits/read-visit.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { makePatient } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const SITE = 'http://localhost:3000'
const DEMO_COOKIES = { cookie: 'demo_access_token=x; consentID=y' }

/** A page as its document arrives, before any script runs, rendered by the build in `dist`. */
async function pageAt(
  testApp: TestApp,
  path: string,
  headers: Record<string, string> = DEMO_COOKIES,
) {
  const response = await testApp.app.fetch(new Request(SITE + path, { headers }))
  const html = await response.text()
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
  return { response, html, main }
}

/** The content of its inline scripts: the dehydrated state. */
function stateIn(html: string): string {
  return [...html.matchAll(/<script nonce="[^"]+"[^>]*>([\s\S]*?)<\/script>/g)]
    .map(([, text = '']) => text)
    .join('\n')
}

test('the home page is rendered with its headline and its search', async () => {
  await using testApp = await makeTestApp()
  const { html, main } = await pageAt(testApp, '/home')
  expect(main).toContain('Find a doctor or dentist near you, and see when they are free')
  expect(main).toContain('name="postcode"')
  expect(html).toContain('data-rendered="" data-assumed-region="uk"')
})

test('a profile is rendered with its title, text and dehydrated state', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp, { about: 'Everyday health for all ages.' })
  const { html, main } = await pageAt(testApp, `/doctor-profile/${id}/0.4?region=uk`)
  expect(html).toMatch(/<title>Dr Amara Okafor, [^<]+ · Apposite<\/title>/)
  expect(html).toMatch(/<meta name="description" content="Dr Amara Okafor, /)
  expect(main).toContain('Everyday health for all ages.')
  expect(main).toContain('0.4 miles')
  const state = stateIn(html)
  expect(state).toContain('"search","provider"')
  expect(state).toContain('"availability","freeTimes"')
})

test.each(['/doctor-profile/nope/1.2', '/appointment/nope?region=uk'])(
  'the page of an impossible provider is rendered with its search: %s',
  async (path) => {
    await using testApp = await makeTestApp()
    const { html, main, response } = await pageAt(testApp, path)
    expect(response.status).toBe(200)
    expect(html).toContain('<title>Provider not found · Apposite</title>')
    expect(main).toContain('name="postcode"')
  },
)

test('an unknown address is a page that says so, with a status that does as well', async () => {
  await using testApp = await makeTestApp()
  for (const path of ['/nowhere', '/home/more', '/doctor-profile/x']) {
    const { response, main } = await pageAt(testApp, path)
    expect([path, response.status]).toEqual([path, 404])
    expect(main).toContain('Page not found')
  }
})

test('a bare page has the status of its address, in whatever form that is written', async () => {
  await using testApp = await makeTestApp()
  for (const [path, status] of [
    ['/home/?b=2&a=1', 200],
    ['/dochome/?unknown=1', 200],
    ['/nowhere/', 404],
  ] as const) {
    const { response, html } = await pageAt(testApp, path, {})
    expect([path, response.status]).toEqual([path, status])
    expect(html).not.toContain('data-rendered')
    expect(html).toMatch(/<script type="module" src="\/assets\/main-/)
  }
})

test('pages behind a sign-in are served bare, with one title and a script that fills them', async () => {
  await using testApp = await makeTestApp()
  for (const path of ['/sign-in', '/dochome/', '/admin-home']) {
    const { response, html, main } = await pageAt(testApp, path)
    expect([path, response.status, main]).toEqual([path, 200, ''])
    expect(html).not.toContain('data-rendered')
    expect(html.match(/<title>[^<]*<\/title>/g)).toEqual([
      '<title>Apposite: find a doctor or dentist near you</title>',
    ])
    expect(html).toMatch(/<script type="module" src="\/assets\/main-[^"]+\.js">/)
  }
})

test('scripts of a rendered page are left to boot.js, so that none is fetched before the first paint', async () => {
  await using testApp = await makeTestApp()
  const { html } = await pageAt(testApp, '/home')
  expect(html).not.toMatch(/type="module"|modulepreload/)
  expect(html).toMatch(/<script src="\/boot.js" data-program="\/assets\/main-[^"]+\/assets\/home-/)
  expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/main-[^"]+\.css"/)
  expect(html.match(/<title>/g)).toHaveLength(1)
  expect(html.match(/<meta name="description"/g)).toHaveLength(1)
})

test('pages rendered at once for two visitors are each their own', async () => {
  await using demo = await makeTestApp()
  await using real = await makeTestApp({ config: { demo: false } })
  // Further ones at the same time would be served bare.
  for (let round = 0; round < 3; round += 1) {
    const [member, visitor, stranger] = await Promise.all([
      pageAt(demo, '/home', { cookie: `${DEMO_COOKIES.cookie}; user_id=canary` }),
      pageAt(demo, '/home'),
      pageAt(real, '/home', {}),
    ])
    const seen = [member, visitor, stranger].map(({ html }) => ({
      isRendered: html.includes('data-rendered'),
      isMember: !html.includes('Log in</'),
      isDemo: html.includes('>Demo</'),
    }))
    expect(seen).toEqual([
      { isRendered: true, isMember: true, isDemo: true },
      { isRendered: true, isMember: false, isDemo: true },
      { isRendered: true, isMember: false, isDemo: false },
    ])
  }
})

test('the checkout is rendered with provider and time, signed in or not', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  const path = `/appointment/${id}?region=uk&date=2026-03-03&time=14%3A30`
  const visitor = await pageAt(testApp, path)
  expect(visitor.main).toContain('Sign in to book this time')
  const patient = await pageAt(testApp, path, { cookie: `${DEMO_COOKIES.cookie}; user_id=canary` })
  expect(patient.main).toContain('Holding your time')
  for (const { main } of [visitor, patient]) {
    expect(main).toContain('Dr Amara Okafor')
    expect(main).toContain('14:30')
  }
})

test('the page of a visit’s link is rendered; a wrong link is not, and is logged without its secret', async () => {
  await using testApp = await makeTestApp()
  const startsAt = '2026-03-03T14:30:00Z'
  const provider = await makeProvider(testApp, { slots: [Date.parse(startsAt)] })
  const { account, ctx } = await makePatient(testApp)
  const id = await bookVisit(ctx, { providerId: provider.id, startsAt })
  const { pathname } = new URL(
    visitUrl(testApp.services, { visitId: id, userId: account.id, email: account.email }),
  )
  const { html, main, response } = await pageAt(testApp, pathname)
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(main).toContain('Dr Amara Okafor')
  expect(main).toContain('14:30')
  expect(main).toContain('Cancel visit')
  expect(html).not.toMatch(/cough/)
  expect(html).not.toContain(account.email)
  const wrong = await pageAt(testApp, `${pathname}x`)
  expect([wrong.response.status, /Okafor/.test(wrong.html)]).toEqual([200, false])
  expect(wrong.html).not.toContain('data-rendered')
  expect(JSON.stringify(testApp.logged)).not.toContain(pathname.split('/').at(-1))
})

test('a failing part of a page reveals no error and no path', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp)
  // The signed-in menu is loaded later, as a chunk of its own.
  const cookie = `${DEMO_COOKIES.cookie}; user_id=canary`
  const paths = ['/home', '/results', `/doctor-profile/${id}/0.4`, `/appointment/${id}`]
  for (const path of paths) {
    const { html } = await pageAt(testApp, path, { cookie })
    expect(html).toContain('data-rendered')
    // No suspense boundary fell back to client rendering.
    expect(html).not.toContain('<!--$!-->')
    expect(html).not.toMatch(/data-(?:msg|stck|cstck)|file:|node_modules|entry-server/)
  }
})

test('text from providers and URLs is escaped', async () => {
  await using testApp = await makeTestApp()
  const hostile = `</script><script>alert(1)</script>"'<img src=x onerror=alert(1)>`
  const { id } = await makeProvider(testApp, { about: hostile, last_name: hostile })
  const profile = await pageAt(testApp, `/doctor-profile/${id}/0.4?region=uk`)
  expect(profile.main).toContain('&lt;/script&gt;')
  const place = encodeURIComponent(`SE1 6ET${hostile}`)
  const results = await pageAt(testApp, `/results?selectedRegion=uk&postcode=${place}`)
  for (const { html, main } of [profile, results]) {
    expect(html).not.toContain('<script>alert')
    expect(main).not.toContain('<img src=x')
    expect(stateIn(html)).not.toMatch(/<\/?script|<!--|<img/i)
    expect(html).not.toContain(' style=')
  }
})

test('an unlisted provider or unknown address is not rendered', async () => {
  await using testApp = await makeTestApp()
  const { id } = await makeProvider(testApp, { verification_status: 'Unverified' })
  for (const path of [`/doctor-profile/${id}/1`, '/doctor-profile/x/1', '/no/such/page']) {
    const { html } = await pageAt(testApp, path)
    expect(html).not.toContain('Okafor')
  }
  expect((await pageAt(testApp, '/no/such/page')).response.status).toBe(404)
})

test('a demo renders pages only with its cookie; a real installation needs none', async () => {
  await using demo = await makeTestApp()
  expect((await pageAt(demo, '/home', {})).html).not.toContain('data-rendered')
  await using real = await makeTestApp({ config: { demo: false } })
  expect((await pageAt(real, '/home', {})).html).toContain('data-rendered')
})

test('only the presence of cookies counts: no value and no name is in the page', async () => {
  await using testApp = await makeTestApp()
  const cookie = 'demo_access_token=canary; user_id=canary; access_token=canary'
  const { html, response } = await pageAt(testApp, '/home', { cookie })
  expect(html).toContain('data-rendered')
  expect(html).not.toContain('canary')
  expect(html).not.toContain('Log in')
  expect(response.headers.get('vary')).toContain('cookie')
})

test('a rendered page is compressed', async () => {
  await using testApp = await makeTestApp()
  const request = new Request(`${SITE}/home`, {
    headers: { ...DEMO_COOKIES, 'accept-encoding': 'br' },
  })
  const response = await testApp.app.fetch(request)
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('content-encoding')).toBe('br')
  const html = brotliDecompressSync(new Uint8Array(await response.arrayBuffer())).toString()
  expect(html).toContain('data-rendered')
})

test('its scripts carry the nonce of the response, and the policy allows no others', async () => {
  await using testApp = await makeTestApp()
  const seen = new Set<string>()
  for (const path of ['/home', '/home', '/results']) {
    const { html, response } = await pageAt(testApp, path)
    const policy = response.headers.get('content-security-policy') ?? ''
    const allowed = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
    const inline = [...html.matchAll(/<script(?![^>]*(?:src=|application\/json))[^>]*>/g)]
    expect(inline.length).toBeGreaterThan(0)
    for (const [tag] of inline) expect(tag).toContain(`nonce="${allowed}"`)
    seen.add(allowed)
  }
  expect(seen.size).toBe(3)
})

test('pages beyond the concurrency limit are served bare', async () => {
  await using testApp = await makeTestApp()
  const pages = await Promise.all(Array.from({ length: 40 }, () => pageAt(testApp, '/home')))
  const rendered = pages.filter(({ html }) => html.includes('data-rendered'))
  expect(rendered.length).toBeGreaterThan(0)
  expect(rendered.length).toBeLessThan(40)
  expect((await pageAt(testApp, '/home')).html).toContain('data-rendered')
})

function isRendered(html: string): boolean {
  return html.includes('data-rendered')
}

test('concurrent pages of one network are limited, the others are served bare', async () => {
  await using testApp = await makeTestApp()
  const ask = async (peer: string) => {
    const request = new Request(`${SITE}/results?region=uk`, { headers: DEMO_COOKIES })
    const response = await testApp.app.fetch(request, peer)
    return { status: response.status, drawn: isRendered(await response.text()) }
  }
  const crowd = await Promise.all(Array.from({ length: 50 }, () => ask('203.0.113.1')))
  expect(crowd.every(({ status }) => status === 200)).toBe(true)
  expect(crowd.filter(({ drawn }) => drawn)).toHaveLength(2)
  const many = Array.from({ length: 20 }, (_, at) => ask(`203.0.113.${at + 10}`))
  expect((await Promise.all(many)).filter(({ drawn }) => drawn)).toHaveLength(6)
})

test('a network beyond its limit gets bare pages, and then none', async () => {
  await using testApp = await makeTestApp()
  const ask = async (peer: string) => {
    const request = new Request(`${SITE}/home`, { headers: DEMO_COOKIES })
    const response = await testApp.app.fetch(request, peer)
    return [response.status, isRendered(await response.text())]
  }
  for (let count = 0; count < limits.render.calls; count += 1) {
    testApp.services.limiter.take('render', '203.0.113.1')
  }
  expect(await ask('203.0.113.1')).toEqual([200, false])
  expect(await ask('203.0.113.2')).toEqual([200, true])
  for (let count = 0; count < limits.page.calls; count += 1) {
    testApp.services.limiter.take('page', '203.0.113.1')
  }
  expect(await ask('203.0.113.1')).toEqual([429, false])
  expect(await ask('203.0.113.2')).toEqual([200, true])
})
