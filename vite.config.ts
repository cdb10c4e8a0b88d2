import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = `http://localhost:${process.env['PORT'] ?? 3000}`

// Patterns rather than prefixes: `/user/…` is the server's, `/userProfile` is a screen.
const proxied = [
  '^/(trpc|media|map|demo|sandbox|api|upload|webhooks|user|provider|token|admin)/',
  '^/(admin-login|admin-gallery|homepage-image|payments-history|super-user-management)(/|$)',
  '^/(captcha|healthz|metrics|sandbox|openapi\\.json)$',
]

/**
 * What most pages need, in two files instead of two dozen: fewer requests, and brotli finds more
 * to share (JavaScript of /home 129.0 to 121.7 kB). Popups stay out: they are fetched later.
 */
const firstChunks = [
  {
    name: 'vendor',
    // No page starts with a form or with a list that grows: what only they need comes with them.
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|zod|@tanstack)\/(?!.*\/(useMutation|useMutationState|mutationObserver|useInfiniteQuery|infiniteQueryObserver|useBlocker)\.js)/,
  },
  {
    // The addresses without their pages, and what every public page draws: frames, the search box, the
    // door to the server. One file: two spend a kilobyte on what they export to each other.
    name: 'shell',
    test: /src\/(routes\/[^?]+\.tsx$|routeTree|features\/(search\/results-search|profiles\/profile-search|auth\/auth-search)|(trpc|warm)\.ts$|ui\/(dialog|text-link|field|select|combobox)\.tsx$|lib\/(server-clock|signed-in-fetch|use-media|speciality-cache)\.ts$|parts\/(use-specialities|use-place-suggestions|search-box))|icons\/(badge-check|calendar-clock)\.mjs$/,
  },
  {
    // What pages with providers on them draw besides.
    name: 'cards',
    test: /src\/(ui\/(notice|late-part|error-state|live-region|chip|empty-state)|lib\/(calendar-days|mid-sentence)|features\/search\/(use-results|results-list|map\/map-words)|parts\/(provider-(card|photo)|rating|fees|slot-|verified-|visit-modes|directions-link))|icons\/(pencil|sliders-horizontal)\.mjs/,
    minShareCount: 2,
  },
  {
    // What only booking and accounts share.
    name: 'visits',
    test: /src\/(lib\/(visit-words|policy-sentence|known-path|start-page)|parts\/(visit-facts|mailbox-link))|contract\/(booking|payments)/,
    minShareCount: 3,
  },
]

/** Drops what is imported and never used. */
const treeshake = { propertyReadSideEffects: false, unknownGlobalSideEffects: false } as const

type Host = { hostType: 'html' | 'js' }

/** What every page has by the time it asks for another. */
const AT_HAND = /^assets\/(vendor|rolldown-runtime)-/

/** Pages of whoever has an account or works here: they come again, and find most files in their cache. */
const OF_MEMBERS =
  /^assets\/(_dashboard|_staff|admin-signin|company-verify|provider-verify|userProfile)/

/**
 * The files fetched along with the entry, which the document names, or with one that is loaded later.
 * The names of the latter travel with the first page, so those are left out that are there anyway,
 * and those of pages that nobody opens first.
 */
function fetchedAlong(file: string, files: string[], { hostType }: Host): string[] {
  if (hostType === 'html') return files
  const isOfMembers = OF_MEMBERS.test(file)
  return files.filter((one) => one.endsWith('.css') || !(isOfMembers || AT_HAND.test(one)))
}

/** `src/routes/doctor-profile.$id.$distance.tsx?tsr-split=component` -> `doctor-profile`. */
const SPLIT_ROUTE = /\/src\/routes\/([a-zA-Z][\w-]*)[^/]*\.tsx\?tsr-split=component/

/** Our renderer needs no keys for the strokes of an icon, and random letters do not compress. */
function keylessIcons(): Plugin {
  return {
    name: 'keyless-icons',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      handler: (code) => code.replaceAll(/, key: "\w+"/g, ''),
    },
  }
}

/**
 * Tells `public/boot.js` which files each page needs beyond the entry, by the first part of its
 * path, so that they are fetched along with the entry and not after it has run.
 */
function pageChunks(): Plugin {
  return {
    name: 'page-chunks',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
        const known = new Set(chunks.filter((one) => one.isEntry).flatMap((one) => one.imports))
        const pages = chunks.flatMap((chunk) => {
          const page = chunk.facadeModuleId?.match(SPLIT_ROUTE)?.[1]
          const files = [chunk.fileName, ...chunk.imports].filter((file) => !known.has(file))
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
        // Loaders of members' pages come with the page: what they read of its address is large.
        splitBehavior: ({ routeId }) =>
          /^\/_(dashboard|staff)\//.test(routeId) ? [['loader', 'component']] : undefined,
      },
      addExtensions: true,
      quoteStyle: 'single',
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      routeFileIgnorePattern: '\\.test\\.',
    }),
    react(),
    tailwindcss(),
    keylessIcons(),
    pageChunks(),
  ],
  resolve: {
    alias: [
      {
        find: /^.*\/createLucideIcon\.mjs$/,
        replacement: fileURLToPath(import.meta.resolve('./src/ui/lucide-icon.ts')),
      },
      // It fills in for React 16 and 17; this one has the hook (0.6 kB brotli).
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
  build: {
    // Which file needs which others: for the measurement of what a page loads at first.
    manifest: true,
    outDir: 'dist/client',
    emptyOutDir: true,
    target: 'baseline-widely-available',
    // The content security policy allows no data: URLs, and inline scripts only with a nonce.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: fetchedAlong },
    rolldownOptions: isSsrBuild
      ? {}
      : { treeshake, output: { codeSplitting: { groups: firstChunks } } },
  },
  server: {
    proxy: Object.fromEntries(proxied.map((pattern) => [pattern, { target: server }])),
  },
}))
