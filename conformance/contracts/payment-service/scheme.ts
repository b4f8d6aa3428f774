import type { Scheme } from '../webhook/scheme.ts'

/** How the payment service signs (SPEC.md 2 and 5). */
export const SCHEME: Scheme = {
  signed: ['time', { text: '.' }, 'body'],
  digest: 'hex',
  key: 'text',
  header: { name: 'X-Service-Signature', separator: ',', label: 'v1=', time: 't=', most: 16 },
}

/** How far a receiver's clock may be from a `t` that it accepts, in seconds (SPEC.md 3). */
export const WINDOW_SECONDS = 300
