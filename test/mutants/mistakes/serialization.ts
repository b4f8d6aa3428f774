import { CORRECT, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Messages of a receiver that also tries the body as a serializer would have written it. */
const alsoAs = (serialize: (event: unknown) => string) => (t: string, body: Buffer) => {
  try {
    return [signing(`${t}.`, body), signing(`${t}.`, serialize(JSON.parse(body.toString())))]
  } catch {
    return [signing(`${t}.`, body)]
  }
}

const escapedToAscii = (text: string) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, item]) => [key, sorted(item)]),
      )
    : value

/** The fields in the order of a class, then those that it does not know; undefined when a field is missing. */
function modelOf(body: Buffer): unknown {
  try {
    const { id, status, amount, ...others } = JSON.parse(body.toString())
    return [id, status, amount].every((value) => typeof value === 'string')
      ? { id, status, amount, ...others }
      : undefined
  } catch {
    return undefined
  }
}

/** Receivers that accept what another serializer would have signed. */
export const OF_SERIALIZATION: Readonly<Record<string, Mutant>> = {
  'also accepts a signature over the indented body': {
    does: { messages: alsoAs((event) => JSON.stringify(event, null, 2)) },
    cause: 'body_reserialized',
    fails: ['body-bytes/indentation-removed'],
  },
  'also accepts a signature over the body escaped to ASCII': {
    does: { messages: alsoAs((event) => escapedToAscii(JSON.stringify(event))) },
    cause: 'body_reserialized',
    fails: ['body-bytes/escapes-resolved'],
  },
  'binds the body to a model, and serializes that before it verifies': {
    does: {
      gate: (request, body) => CORRECT.gate(request, body) ?? (modelOf(body) === undefined ? 422 : undefined),
      messages: (t, body) => [signing(`${t}.`, JSON.stringify(modelOf(body) ?? null))],
    },
    cause: 'body_parsed_first',
    fails: ['transport/posted-as-json', 'acknowledgement/exactly-200', 'events/completed'],
  },
  'sorts keys and escapes slashes before it verifies': {
    does: {
      messages(t, body) {
        try {
          const event: unknown = JSON.parse(body.toString())
          return [signing(`${t}.`, JSON.stringify(sorted(event)).replaceAll('/', '\\/'))]
        } catch {
          return []
        }
      },
    },
    cause: 'body_reserialized',
    fails: ['transport/posted-as-json', 'acknowledgement/exactly-200', 'events/completed'],
  },
}
