/** One part of the guide: words for people, and commands that work as they stand. */
export type Step = { id: string; title: string; words: string[]; code?: string }

const HELPERS = `field() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -1 | cut -d'"' -f4; }
json() { curl -s "$BASE$1" -H 'Content-Type: application/json' -d @-; }
code() { curl -s "$BASE/demo/mailbox.json?to=$1" | grep -o '\\\\n    [0-9]\\{6\\}\\\\n' | head -1 | tr -dc 0-9; }
link() { curl -s "$BASE/demo/mailbox.json?to=$1" | grep -o '/verify/[A-Za-z0-9_-]*' | head -1 | cut -d/ -f3; }`

const PROOF = `proof() { curl -s "$BASE/captcha" | node -e '
let text = ""
process.stdin.on("data", (part) => { text += part }).on("end", () => {
  const challenge = JSON.parse(text)
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const [secret, grain] = [Buffer.from(nonce, "hex"), Buffer.from(salt, "hex")]
  const number = Buffer.alloc(4)
  for (let counter = 0; ; counter += 1) {
    number.writeUInt32BE(counter)
    const key = require("crypto").pbkdf2Sync(
      Buffer.concat([secret, number]), grain, cost, keyLength, "sha256").toString("hex")
    if (!key.startsWith(keyPrefix)) continue
    const proof = JSON.stringify({ challenge, solution: { counter, derivedKey: key } })
    return console.log(Buffer.from(proof).toString("base64"))
  }
})'; }`

const REGISTER = `EMAIL=ada.$RANDOM@mail.example
PROOF=$(proof)
json /api/user-register <<END
{
  "first_name": "Ada", "last_name": "Moss", "email": "$EMAIL",
  "password": "seven green bottles", "phone_number": "020 7946 0123",
  "date_of_birth": "1990-02-28", "terms": true, "captchaValue": "$PROOF"
}
END
sleep 3
json /trpc/auth.verifyEmail <<END
{"token": "$(link "$EMAIL")"}
END`

const SIGN_IN = `LOGIN=$(json /api/user-login <<END
{"email": "$EMAIL", "password": "seven green bottles", "user_type": "patient"}
END
)
TOKEN=$(echo "$LOGIN" | field access_token)
USER_ID=$(echo "$LOGIN" | field user_id)
echo "$LOGIN"`

const SEARCH = `FOUND=$(curl -sG "$BASE/api/test-search/" \\
  --data-urlencode 'postcode=SE1 6ET' -d specialty=gp -d sort=soonest)
PROVIDER=$(echo "$FOUND" | field _id)
DATE=$(echo "$FOUND" | field date)
TIME=$(echo "$FOUND" | field time)
echo "$PROVIDER is free on $DATE at $TIME"`

const CODE = `curl -s -X POST "$BASE/user/user-otp-verification/$USER_ID/" \\
  -H "Authorization: Bearer $TOKEN"
sleep 3
curl -sG "$BASE/user/user-otp-verification/$USER_ID/" \\
  -H "Authorization: Bearer $TOKEN" -d otp="$(code "$EMAIL")"`

const HOLD = `CHECKOUT=$(curl -s "$BASE/user/stripe-checkout/$USER_ID/" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d @- <<END
{
  "providerId": "$PROVIDER", "providerRegion": "uk", "bookedDate": "$DATE", "timeSlot": "$TIME",
  "type_of_visit": "first_visit", "purpose_for_visit": "A cough that will not go away"
}
END
)
SECRET=$(echo "$CHECKOUT" | field clientSecret)
echo "$CHECKOUT"`

const PAY = `json /sandbox/stripe/pay <<END
{
  "client_secret": "$SECRET", "number": "4242 4242 4242 4242", "expiry": "04 / 34",
  "cvc": "123", "name": "Ada Moss", "country": "GB", "postcode": "SE1 6ET"
}
END
curl -sG "$BASE/user/stripe-checkout-session-status" \\
  -H "Authorization: Bearer $TOKEN" -d session_id="\${SECRET%%_secret_*}"`

const HISTORY = `curl -sG "$BASE/trpc/booking.visits" \\
  -H "Authorization: Bearer $TOKEN" --data-urlencode 'input={"when":"coming"}'`

/** From nothing to a booked and paid visit. `base` is where this very page came from. */
export function guideSteps(base: string): Step[] {
  return [
    {
      id: 'start',
      title: 'Set up a shell',
      words: [
        'Paste these into one shell, one after the other. They need curl, and Node for the proof of work. They are for a demo, where mail can be read and cards cost nothing.',
        '`field` takes a field out of an answer, `code` and `link` what a mail brought out of the demo mailbox, and `proof` does the work that registering and the contact form ask for.',
      ],
      code: `BASE=${base}\n${HELPERS}\n${PROOF}`,
    },
    {
      id: 'register',
      title: 'Register, and confirm the address',
      words: [
        'A mail brings a link. The page it leads to has a button; this is what the button sends.',
      ],
      code: REGISTER,
    },
    {
      id: 'sign-in',
      title: 'Sign in',
      words: [
        'Programs get the tokens as fields. Send the access token with every call; it is good for ten minutes, then trade the refresh token for the next two at `/token/refresh/`.',
      ],
      code: SIGN_IN,
    },
    { id: 'search', title: 'Search', words: ['The soonest GP near a postcode.'], code: SEARCH },
    {
      id: 'code',
      title: 'Verify a one-time code',
      words: ['Nothing is paid without one. It is mailed, and good for one booking.'],
      code: CODE,
    },
    {
      id: 'hold',
      title: 'Hold the time and begin to pay',
      words: ['The time is yours for fifteen minutes. The price is the provider’s.'],
      code: HOLD,
    },
    {
      id: 'pay',
      title: 'Pay in the sandbox',
      words: [
        'A live installation shows Stripe’s embedded checkout with the client secret. In the demo a sandbox takes its place, and any of its test cards.',
      ],
      code: PAY,
    },
    {
      id: 'history',
      title: 'Read the history',
      words: [
        'The visit is booked. Every procedure the pages use can be called like this, too; see “Procedures”.',
      ],
      code: HISTORY,
    },
  ]
}

/** Variables that the examples below use: the demo's accounts, and somebody to book. */
export function exampleSetup(): string {
  return `login() { json "$1" <<END
{"email": "$2@demo.example", "password": "Apposite-demo-1"$3}
END
}
LOGIN=$(login /api/user-login patient ', "user_type": "patient"')
PATIENT_TOKEN=$(echo "$LOGIN" | field access_token)
REFRESH=$(echo "$LOGIN" | field refresh_token)
USER_ID=$(echo "$LOGIN" | field user_id)
PROVIDER_TOKEN=$(login /api/user-login provider ', "user_type": "provider"' | field access_token)
STAFF_TOKEN=$(login /admin-login/ superuser | field access)
PROVIDER=$(curl -s "$BASE/trpc/auth.me" -H "Authorization: Bearer $PROVIDER_TOKEN" | field provider_id)
DETAILS=$(curl -s "$BASE/api/doctors/$PROVIDER")
DATE=$(echo "$DETAILS" | field date)
TIME=$(echo "$DETAILS" | field time)
AMOUNT=$(echo "$DETAILS" | field amount)
PICTURE=$(echo "$DETAILS" | field profile_image)`
}
