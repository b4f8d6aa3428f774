import type { Delivery } from '../../case/delivery.ts'
import type { Kit } from '../../case/kit.ts'
import { aboutEvent } from '../../case/kit.ts'

export type Event = Record<string, unknown>

/** A genuine delivery whose body is an event written in an unusual way. */
export function written(change: string, write: (event: Event) => string | Buffer): (kit: Kit) => Delivery {
  return (kit) => {
    const event = kit.event('completed')
    return { ...kit.body(write(event), aboutEvent(event)), change }
  }
}

/** Puts a piece of JSON text in as the metadata, as it stands. */
export const withMetadata = (event: Event, metadata: string) =>
  JSON.stringify({ ...event, metadata: {} }).replace('"metadata":{}', `"metadata":${metadata}`)

export const pretty = written('an indented body', (event) => JSON.stringify(event, null, 2))
export const escaped = written('characters written as \\u escapes', (event) =>
  withMetadata(event, '{"name":"Zo\\u00eb \\u2603"}'),
)
