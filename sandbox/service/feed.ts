import { EventEmitter } from 'node:events'
import type { Change } from '../model.ts'
import type { Feed } from '../ports.ts'

/** Creates a feed of changes for any number of subscribers. */
export function createFeed(): Feed {
  const emitter = new EventEmitter<{ change: [Change] }>().setMaxListeners(0)
  return {
    publish: (change) => void emitter.emit('change', change),
    subscribe: (listener) => {
      emitter.on('change', listener)
      return () => void emitter.off('change', listener)
    },
  }
}
