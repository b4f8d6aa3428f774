import type { Delivery } from '../../../webhook/delivery.ts'
import { aboutEvent, type Kit } from '../../kit.ts'

export type Event = Record<string, unknown>

/** A valid delivery whose body is an event, serialized in an unusual way. */
export function serializedAs(
  change: string,
  serialize: (event: Event) => string | Buffer,
): (kit: Kit) => Delivery {
  return (kit) => {
    const event = kit.event('completed')
    return { ...kit.body(serialize(event), aboutEvent(event)), change }
  }
}

/** Serializes an event with a piece of literal JSON text as its metadata. */
export const withMetadata = (event: Event, metadata: string) =>
  JSON.stringify({ ...event, metadata: {} }).replace('"metadata":{}', `"metadata":${metadata}`)

/** Serializes an event with one more field, given as literal JSON text. */
export const withField = (event: Event, field: string) => JSON.stringify(event).replace(/}$/, `,${field}}`)

/** Writes each letter of the names and texts as an escape. */
export const escapedThroughout = (event: Event) =>
  JSON.stringify(event).replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replace(
      /(\\.)|[a-z._]/gi,
      (letter, escape?: string) => escape ?? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

export const indented = serializedAs('an indented body', (event) => JSON.stringify(event, null, 2))
export const escaped = serializedAs('characters written as \\u escapes', (event) =>
  withMetadata(event, '{"name":"Zo\\u00eb \\u2603"}'),
)
