import { CORRECT } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** The body that a framework sends when it shows an exception to developers. */
const showing = (page: (status: number) => string): Mutant['does'] => ({ explain: ({ code }) => page(code) })

/** Mistakes with the header, its time and refusals, each from the tracker of a library or framework (SPEC.md 2, 3 and 11). */
export const OF_FIELD_HEADER: Readonly<Record<string, Mutant>> = {
  // Signature header
  'crashes without a signature header': {
    does: {
      gate: (request, body) => (CORRECT.headerOf(request) === '' ? 500 : CORRECT.gate(request, body)),
    },
    fails: ['signature-header/absent'],
    cause: 'error_not_caught',
    source: 'https://github.com/saleor/app-sdk/issues/13',
  },
  'answers 401 without a signature header': {
    does: {
      gate: (request, body) => (CORRECT.headerOf(request) === '' ? 401 : CORRECT.gate(request, body)),
    },
    fails: ['signature-header/absent', 'refusals/unsigned-has-no-effect'],
    source: 'https://github.com/Dokploy/dokploy/pull/4278',
  },
  'checks the header, and takes the promise of the comparison for its result': {
    does: {
      entries(header) {
        const { times, signatures } = CORRECT.entries(header)
        const given = signatures.filter((v1) => v1 !== '')
        return { times: times.length === 1 ? times : [], signatures: given }
      },
      same: () => true,
    },
    fails: ['refusals/another-secret'],
    cause: 'no_verification',
  },
  'compares the lengths of texts, then the bytes that hex stands for': {
    does: {
      same(expected, given) {
        if (given.length !== expected.length) return false
        const [left, right] = [Buffer.from(expected, 'hex'), Buffer.from(given, 'hex')]
        if (left.length !== right.length) throw new RangeError('lengths differ')
        return left.equals(right)
      },
    },
    fails: ['signature-header/v1-not-hexadecimal'],
    cause: 'error_not_caught',
    source: 'https://github.com/Infisical/infisical/pull/6127',
  },
  'answers 403 to a wrong signature': {
    does: { status: ({ code }) => (code === 401 ? 403 : code) },
    fails: ['refusals/another-secret', 'body-bytes/one-byte-of-the-amount-altered'],
    cause: 'wrong_refusal_status',
    source: 'https://github.com/laravel/cashier-paddle/issues/283',
  },
  'uses the secret decoded from base64': {
    does: { keys: (secret) => [Buffer.from(secret.replace(/^whsec_/, ''), 'base64')] },
    fails: ['transport/posted-as-json', 'refusals/secret-decoded'],
    cause: 'secret_changed',
    source: 'https://github.com/standard-webhooks/standard-webhooks/pull/236',
  },
  'tries the secret in both forms': {
    does: {
      keys: (secret) => [secret, Buffer.from(secret.replace(/^whsec_/, ''), 'base64')],
      signatureFirst: true,
    },
    fails: ['refusals/secret-decoded'],
    cause: 'secret_changed',
    source: 'https://github.com/superplanehq/superplane/pull/7439',
  },

  // Time window
  'has a window of five seconds': {
    does: { inWindow: (age) => Math.abs(age) <= 5 },
    fails: [
      'time-window/a-minute-ago',
      'time-window/just-inside-the-past',
      'time-window/just-inside-the-future',
    ],
    cause: 'window_length',
    source: 'https://github.com/laravel/cashier-paddle/pull/214',
  },
  'compares seconds with milliseconds': {
    does: { inWindow: (_, t) => Math.abs(Date.now() - Number(t)) <= 300_000 },
    fails: ['transport/posted-as-json'],
    cause: 'nothing_accepted',
    source: 'https://github.com/mercadopago/sdk-ruby/pull/163',
  },
  'divides seconds by a thousand': {
    does: { inWindow: (_, t) => Number(t) / 1000 >= Date.now() / 1000 - 300 },
    fails: ['transport/posted-as-json'],
    cause: 'nothing_accepted',
    source: 'https://github.com/workos/workos-ruby/pull/138',
  },

  // Disclosure
  'shows the exception of Laravel in debug mode': {
    does: showing((status) =>
      JSON.stringify({
        message: 'Invalid webhook signature.',
        exception: 'Symfony\\Component\\HttpKernel\\Exception\\AccessDeniedHttpException',
        file: '/srv/app/vendor/laravel/cashier-paddle/src/Http/Middleware/VerifyWebhookSignature.php',
        line: 33,
        status,
      }),
    ),
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-in-a-refusal', 'disclosure/no-trace-after-an-unreadable-body'],
    source: 'https://github.com/laravel/cashier-paddle/issues/283',
  },
  'shows a Python trace as JSON': {
    does: showing(() =>
      JSON.stringify({
        message: 'InvalidDocument',
        trace: [['app/api/rest.py', 112, 'endpoint', 'val = fun(self, args, params)']],
      }),
    ),
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-in-a-refusal'],
    source: 'https://github.com/girder/girder/issues/139',
  },
  'shows the exception of .NET to developers': {
    does: showing(
      () =>
        'Stripe.StripeException: The signature is not valid.\r\n   at Stripe.EventUtility.ValidateSignature(String json, String header) in /src/EventUtility.cs:line 118\r\n',
    ),
    cause: 'trace_disclosed',
    fails: ['disclosure/no-trace-in-a-refusal'],
    source: 'https://github.com/stripe/stripe-dotnet/issues/2195',
  },
}
