import { Hono, type Context as HonoContext } from 'hono'
import { CAPTCHA_PATH } from '#contract/captcha.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { isDatabaseOut } from '#db/failures.ts'
import type { Services } from './context.ts'
import { makeDocumentDownload } from './download-http.ts'
import { Answers, type HeaderMap, isFresh } from './kernel/answer.ts'
import { randomText } from './kernel/ids.ts'
import { makeNetworkReader } from './kernel/network.ts'
import { makeStaticFiles, type StaticAnswer } from './kernel/static-files.ts'
import { makeMailbox } from './messages/mailbox.ts'
import { makeCaptchaPage } from './pages/captcha.ts'
import { makeMedia } from './pages/media.ts'
import { isPage, isTokenPage } from './pages/routes.ts'
import { makeSandboxProxy } from './pages/sandbox-proxy.ts'
import { makeSitePage } from './pages/site-page.ts'
import { makeRest } from './rest/rest.ts'
import { makeTrpcHandler } from './trpc-http.ts'
import { makeUpload } from './upload-http.ts'
import { uploads } from './uploads.ts'

/** The whole server as a function; `peer` is the address at the other end of the socket. */
export type App = { fetch(request: Request, peer?: string): Promise<Response> }

type Env = { Bindings: { peer: string } }

function staticResponse(answers: Answers, request: Request, file: StaticAnswer): Response {
  const headers: HeaderMap = {
    'content-type': file.type,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  }
  if (isFresh(request, file.etag)) return answers.send(304, null, headers)
  if (file.encoding !== null) headers['content-encoding'] = file.encoding
  return answers.send(200, file.body, headers)
}

/** Makes the app out of the services. Tests call it without a socket. */
export function makeApp(services: Services): App {
  const { config } = services
  const answers = new Answers(config)
  const networkOf = makeNetworkReader(config.trustedProxies)
  const trpc = makeTrpcHandler(services, answers)
  const mailbox = makeMailbox(services, answers)
  const captcha = makeCaptchaPage(services, answers)
  const sandbox = makeSandboxProxy(services, answers)
  const media = makeMedia(config.dataDir, answers)
  const download = makeDocumentDownload(services, answers)
  const rest = makeRest(services, answers)
  const staticFiles = makeStaticFiles(config.clientDir)
  const sitePage = makeSitePage(services, answers)
  const callerOf = (c: HonoContext<Env>) =>
    networkOf(c.env.peer, c.req.raw.headers.get('x-forwarded-for'))
  const notAllowed = (allow: string) =>
    answers.failure(405, 'method_not_allowed', {
      requestId: randomText(10),
      headers: { allow },
    })
  const notFound = () => answers.failure(404, 'not_found', { requestId: randomText(10) })

  async function page(c: HonoContext<Env>): Promise<Response> {
    const request = c.req.raw
    const network = callerOf(c)
    const { pathname } = new URL(request.url)
    const file = await staticFiles.find(pathname, request.headers.get('accept-encoding'))
    if (file !== null) return staticResponse(answers, request, file)
    if (pathname === '/' && !config.demo) {
      return answers.send(302, null, { location: '/home', 'cache-control': 'no-cache' })
    }
    if (isTokenPage(pathname)) {
      const response = await sitePage(request, 200, network)
      response.headers.set('referrer-policy', 'no-referrer')
      response.headers.set('cache-control', 'no-store')
      return response
    }
    if (isPage(pathname)) return sitePage(request, 200, network)
    // A missing script must not come back as a page, or the browser runs into its first `<`.
    return /\.[a-z0-9]+$/i.test(pathname) ? notFound() : sitePage(request, 404, network)
  }

  const app = new Hono<Env>()
  app.on(['GET', 'POST'], '/trpc/*', (c) => trpc(c.req.raw, callerOf(c)))
  app.all('/trpc/*', () => notAllowed('GET, POST'))
  for (const upload of uploads) {
    const answer = makeUpload(services, answers, upload)
    app.post(upload.path, (c) => answer(c.req.raw, callerOf(c)))
    app.all(upload.path, () => notAllowed('POST'))
  }
  app.get(`${DOCUMENT_VIEW_PATH}/:id`, (c) => download(c.req.raw, c.req.param('id'), callerOf(c)))
  app.get(CAPTCHA_PATH, (c) => captcha(callerOf(c)))
  app.on(['GET', 'POST'], ['/sandbox', '/sandbox/*'], (c) => sandbox(c.req.raw, callerOf(c)))
  app.get('/media/:name', async (c) => (await media(c.req.raw, c.req.param('name'))) ?? notFound())
  app.get('/demo/*', async (c) => {
    const isMailbox = c.req.path.startsWith('/demo/mailbox')
    return (isMailbox ? await mailbox(c.req.raw) : null) ?? notFound()
  })
  app.get('*', async (c) => (await rest(c.req.raw, callerOf(c))) ?? page(c))
  app.all('*', async (c) => (await rest(c.req.raw, callerOf(c))) ?? notAllowed('GET, HEAD'))
  app.onError((error) => {
    const requestId = randomText(10)
    services.log.error({ err: error, requestId }, 'a request failed')
    if (isDatabaseOut(error)) return answers.failure(503, 'busy', { requestId })
    return answers.failure(500, 'internal', { requestId })
  })

  return { fetch: async (request, peer = '') => app.fetch(request, { peer }) }
}
