import { scopeFacts } from '#contract/access-tokens.ts'
import { codeBlock, escaped, prose, table } from './html.ts'
import { limitRows } from './limits.ts'

/** A chapter that holds for all calls. */
export type Chapter = { id: string; title: string; html: string }

const p = (text: string) => `<p>${prose(text)}</p>`

const signedIn: Chapter = {
  id: 'signing-in',
  title: 'Who is asking',
  html: [
    p(
      'Send `Authorization: Bearer TOKEN`. The token is the access token of a session, from `/api/user-login` or `/admin-login/`, or a personal access token.',
    ),
    p(
      'Browsers have the same token in a cookie that no script can read. A write that comes with cookies must come from our own pages: with an `Origin` or `Sec-Fetch-Site` of another site, or with neither, it is refused with 403.',
    ),
    p(
      'An id in a path is compared with your own and never believed. Somebody else’s is as little there as one that was never given out: 404 for both. A region in a query is a hint; the provider’s own wins, and another one is 404 as well.',
    ),
    p(
      'Some calls take a proof of the last five minutes that it is you. Signing in is one; later send your password, or the code of your authenticator, to the procedure `auth.stepUp`.',
    ),
  ].join('\n'),
}

function tokens(): Chapter {
  const rows = Object.entries(scopeFacts).map(([scope, { words, kinds }]) => [
    `<code>${scope}</code>`,
    escaped(words),
    escaped(kinds.join(', ')),
  ])
  return {
    id: 'access-tokens',
    title: 'Personal access tokens',
    html: [
      p(
        'For scripts that run for longer than a session. Make one on your profile page, name what it may do, and send it as a Bearer token. It ends by itself, can be revoked at once, is kept as a hash only, and never may more than you. What no scope names, such as paying, passwords and bank accounts, no token may.',
      ),
      table(['Scope', 'What it opens', 'For'], rows),
    ].join('\n'),
  }
}

const REFUSAL = {
  status: false,
  error: 'Email or password is incorrect.',
  code: 'credentials_wrong',
  request_id: 'q3w8rk2x1m',
}

const errors: Chapter = {
  id: 'errors',
  title: 'Errors',
  html: [
    p(
      '`error` is a sentence for people, `code` is for programs and never changes its meaning, `request_id` is what to quote when you ask us. Calls whose screens read `message` or `detail` have the sentence there as well. `issues` names the fields that are wrong.',
    ),
    codeBlock(JSON.stringify(REFUSAL, null, 2), 'A refusal'),
    table(
      ['Status', 'When'],
      [
        [
          '400',
          'What was sent cannot be read, or a field is wrong. Unknown fields are wrong, too.',
        ],
        ['401', 'Nobody is signed in, or the session has ended.'],
        ['403', 'Your account may not do this, or a fresh proof is needed.'],
        ['404', 'There is no such thing, or it is not yours.'],
        ['405', 'Another method; <code>Allow</code> says which.'],
        ['409', 'Something has changed meanwhile, such as a time that is taken.'],
        ['413', 'Larger than 64 kB of JSON, or than 5 MB of picture.'],
        ['415', 'Send JSON, but for the register look-ups and the forms with pictures.'],
        ['422', 'A key used for something else, or a time that no clock shows.'],
        ['429', 'Too many; <code>Retry-After</code> says in how many seconds.'],
        ['502, 503', 'A service we depend on is away, or we are very busy. Try again.'],
      ],
    ),
  ].join('\n'),
}

const keys: Chapter = {
  id: 'idempotency-key',
  title: 'Idempotency-Key',
  html: [
    p(
      'Who was not answered cannot know whether a write was done. Send it again with the same `Idempotency-Key`, 8 to 200 letters, digits or signs such as a UUID, and it is done once: the second time you get the first answer, with `Idempotency-Replayed: true`.',
    ),
    p(
      'The key is your account’s, and good for a day. The same key with other details is 422; while the first is still at work it is 409 with `Retry-After`. Refusals are not kept, so the key is free after one. It means nothing on reads, without a session, and where the answer is a secret.',
    ),
  ].join('\n'),
}

function limits(): Chapter {
  const rows = limitRows().map(([name, what, many, window]) => [
    escaped(what),
    many.toLocaleString('en-GB'),
    escaped(window),
    `<code>${name}</code>`,
  ])
  return {
    id: 'limits',
    title: 'Limits',
    html: [
      p(
        'Beyond a limit the answer is 429 with `Retry-After`, and never a silent drop. A network is an IPv4 address, or the first 64 bits of an IPv6 address. Calls are counted one by one, those of a batch as well; a batch has at most ten.',
      ),
      table(['What is counted', 'How many', 'In a', 'Name'], rows),
    ].join('\n'),
  }
}

const proof: Chapter = {
  id: 'proof-of-work',
  title: 'Proof of work',
  html: [
    p(
      'Registering and the contact form ask for `captchaValue`, and so does the search of a network that searches a lot: the base64 of a solved challenge of `GET /captcha`, which is an ALTCHA of PBKDF2 with SHA-256. It costs about a second of computing, is good for an hour, and once. `proof` in the guide solves one.',
    ),
  ].join('\n'),
}

const procedures: Chapter = {
  id: 'procedures',
  title: 'Procedures',
  html: [
    p(
      "These paths are a translation. Behind them are the procedures that our own pages use, each at `/trpc/room.procedure`: queries by GET with their input as JSON in `input`, mutations by POST with it as the body. `import { createClient } from 'apposite/client'` gives them to a script with their types.",
    ),
    codeBlock(
      `curl -sG "$BASE/trpc/search.providers" --data-urlencode 'input={"postcode":"SE1 6ET","specialty":"dentist"}'`,
      'A procedure by curl',
    ),
  ].join('\n'),
}

/** What holds for all calls, in the order of the page. */
export function chapters(): Chapter[] {
  return [signedIn, tokens(), errors, keys, limits(), proof, procedures]
}
