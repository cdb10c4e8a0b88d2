import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { BUILD_TARGET } from '#scripts/browsers/oldest.ts'

const server = `http://localhost:${process.env['PORT'] ?? 3000}`

// Patterns rather than prefixes: `/user/…` is the server's, `/userProfile` is a screen.
const proxied = [
  '^/(trpc|media|map|demo|sandbox|api|upload|webhooks|user|provider|token|admin)/',
  '^/(admin-login|admin-gallery|homepage-image|payments-history|super-user-management)(/|$)',
  '^/(captcha|healthz|metrics|sandbox|openapi\\.json)$',
]

/**
 * What the entry imports: packages in one chunk, which changes only with them, and ours in another. Icons that several
 * pages share are a chunk, because on a slow connection each request is expensive. All else the bundler decides.
 */
const sharedChunks = [
  { name: 'vendor', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'shell', tags: ['$initial' as const] },
  { name: 'icons', test: /lucide-react/, minShareCount: 2, includeDependenciesRecursively: false },
]

type RenderForDevelopment = (request: Request) => Promise<string>

/** During development, when no server renders pages: their document, which the browser fills. */
function devDocument(): Plugin {
  return {
    name: 'dev-document',
    apply: 'serve',
    configureServer: (vite) => () => {
      const documentAt = async (path: string) => {
        const entry: Record<string, RenderForDevelopment> =
          await vite.ssrLoadModule('/src/entry-server.tsx')
        const html = await entry['renderForDevelopment']?.(new Request(`http://localhost${path}`))
        return vite.transformIndexHtml(path, html ?? '')
      }
      vite.middlewares.use(({ originalUrl = '/' }, response, next) => {
        documentAt(originalUrl).then(
          (html) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
          next,
        )
      })
    },
  }
}

export default defineConfig(({ isSsrBuild = false }) => ({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: {
        // Pages behind a sign-in keep their loader in the page's chunk: it imports modules of the page.
        splitBehavior: ({ routeId }) =>
          /^\/_(dashboard|staff)\//.test(routeId) ? [['loader', 'component']] : undefined,
      },
      addExtensions: true,
      quoteStyle: 'single',
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      routeFileIgnorePattern: '\\.test\\.',
    }),
    react({ jsxImportSource: '#jsx' }),
    tailwindcss(),
    devDocument(),
  ],
  build: {
    // The manifest lists each file's imports, for the benchmark of a page's first JavaScript.
    manifest: true,
    outDir: 'dist/client',
    emptyOutDir: true,
    target: BUILD_TARGET,
    // The content security policy allows no data: URLs, and inline scripts only with a nonce.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : { input: 'src/main.tsx', output: { codeSplitting: { groups: sharedChunks } } },
  },
  server: {
    proxy: Object.fromEntries(proxied.map((pattern) => [pattern, { target: server }])),
  },
}))
