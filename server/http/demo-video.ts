import { Hono } from 'hono'
import type { Services } from '#server/context.ts'
import { hasDemoEntrance } from '#server/kernel/demo-mode.ts'
import { budget } from './budget.ts'
import type { HttpEnv } from './request-context.ts'

const PAGE = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Demo video room</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/mailbox.css">
</head>
<body>
<header><p><a href="/home"><img src="/favicon.svg" alt="" width="32" height="32">Apposite</a> <span>Demo video room</span></p></header>
<main>
<h1>You’ve joined the video visit</h1>
<p>This page stands in for a video server. In a real installation the patient and the provider would see each other here; your camera and microphone are off.</p>
<p>Both of them get to this same room, which only this visit has.</p>
</main>
</body>
</html>
`

/**
 * The demo's simulated video server, which hosts the rooms of video visits: a page that says so. 404 outside
 * a demo.
 */
export function demoVideoRoutes({ config }: Pick<Services, 'config'>): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>()
  if (!hasDemoEntrance(config)) return routes
  routes.use('/demo/video/*', budget('demo'))
  routes.get('/demo/video/:room{room_[a-z0-9]{26}}', (c) => c.html(PAGE))
  return routes
}
