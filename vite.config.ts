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

/** A chunk of what several pages share, without what it imports itself. */
const shared = (name: string, test: RegExp) => ({
  name,
  test,
  minShareCount: 2,
  includeDependenciesRecursively: false,
})

/**
 * Code every page needs: packages in one chunk, which changes only with them, and ours in another. Small modules shared
 * by the same pages are grouped, because on a slow connection each request is expensive.
 */
const sharedChunks = [
  { name: 'vendor', tags: ['$initial' as const], test: /node_modules/ },
  { name: 'shell', tags: ['$initial' as const] },
  shared('icons', /lucide-react/),
  shared(
    'search',
    /\/src\/(?:parts\/(?:search-box|use-specialities)|ui\/(?:combobox|fields)|lib\/press)\./,
  ),
  shared(
    'providers',
    /@tanstack\/react-router|\/src\/(?:parts\/(?:provider-(?:card|facts)|save-button|slot-pill|use-place-of-time)|ui\/(?:lazy-part|pagination)|lib\/(?:own-search|group-by)|features\/search\/(?:places-map|use-results|map\/results-map-lazy))\./,
  ),
  shared('forms', /react-hook-form|@hookform|\/src\/(?:lib\/use-form|parts\/captcha)\./),
  shared(
    'visits',
    /\/contract\/(?:booking|booking-desk|errors|outcomes|sentences|us-states)\.|\/src\/(?:lib\/(?:errors|visit-text)|parts\/data-boundary|ui\/form-frame|features\/profiles\/profile-states)\./,
  ),
]

/** `src/routes/doctor-profile.$id.$distance.tsx?tsr-split=component` -> `doctor-profile`. */
const SPLIT_ROUTE = /\/src\/routes\/([a-zA-Z][\w-]*)[^/]*\.tsx\?tsr-split=component/

/** A file and all its imports, direct and indirect, so that the browser need not discover any of them. */
function withImports(
  file: string,
  importsOf: ReadonlyMap<string, readonly string[]>,
  found = new Set<string>(),
): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const one of importsOf.get(file) ?? []) withImports(one, importsOf, found)
  return found
}

/**
 * Tells `public/boot.js` which files each page needs besides the entry, by the first part of its path, so that they are
 * fetched in parallel with it.
 */
function pageChunks(): Plugin {
  return {
    name: 'page-chunks',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
        const pages = chunks.flatMap((chunk) => {
          const page = chunk.facadeModuleId?.match(SPLIT_ROUTE)?.[1]
          const files = [...withImports(chunk.fileName, importsOf)].filter(
            (file) => !html.includes(file),
          )
          return page === undefined ? [] : [[page, files.map((file) => `/${file}`)] as const]
        })
        const json = JSON.stringify(Object.fromEntries(pages))
        // Right before the script that reads it, and after the character set.
        const script = `<script type="application/json" id="page-chunks">${json}</script>`
        return html.replace('<script src="/boot.js">', `${script}\n    $&`)
      },
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
    pageChunks(),
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
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: sharedChunks } } },
  },
  server: {
    proxy: Object.fromEntries(proxied.map((pattern) => [pattern, { target: server }])),
  },
}))
