import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Mistake } from './mistakes.ts'
import type { Inbox, Received, Steps } from './receiver.ts'

type Accept = Steps['accept']
type MayAnswer = number | undefined

const accepting = (
  accept: (request: Received, inbox: Inbox, right: Steps) => MayAnswer | Promise<MayAnswer>,
  fails: readonly string[],
  of?: Mistake['of'],
): Mistake => ({
  steps: (_, right) => ({
    accept: async (request, inbox, status) => (await accept(request, inbox, right)) ?? status,
  }),
  fails,
  ...(of !== undefined && { of }),
})
/** Recognizes a redelivery by something else than its key. */
const recognizing = (
  by: (request: Received, right: Steps) => string,
  fails: readonly string[],
  of?: Mistake['of'],
): Mistake =>
  accepting(
    (request, inbox, right) => {
      if (inbox.isFirst(by(request, right))) inbox.handle(request)
      return undefined
    },
    fails,
    of,
  )
/** Remembers the key of each request before it is verified. */
const rememberingEarly = (status: number | undefined, fails: readonly string[]): Mistake => ({
  steps: (_, { key }) => {
    const known = new WeakSet<Received>()
    return {
      arrived: (request, inbox) => {
        if (!inbox.isFirst(key(request))) known.add(request)
      },
      accept: (request, inbox, usual) => {
        if (known.has(request)) return status ?? usual
        inbox.handle(request)
        return usual
      },
    }
  },
  fails,
})

const IN_TURN = ['delivered-again', 'signed-again', 'after-others', 'after-a-second'].map(
  (name) => `duplicates/${name}`,
)
const AT_ONCE = ['twice-at-once', 'ten-at-once'].map((name) => `duplicates/${name}`)
const REFUSED = ['unsigned', 'forged', 'altered', 'stale']
const TIMED = ['standard-webhooks', 'stripe'] as const
const hashOf = (raw: Buffer) => createHash('sha256').update(raw).digest('hex')

/** What receivers get wrong about redeliveries, and about what they do, by name. */
export const EFFECTS: Readonly<Record<string, Mistake>> = {
  'handles each delivery twice': accepting(
    (request, inbox, { key }) => {
      if (!inbox.isFirst(key(request))) return undefined
      inbox.handle(request)
      inbox.handle(request)
      return undefined
    },
    ['duplicates/delivered-once'],
  ),
  'handles redeliveries': accepting(
    (request, inbox) => {
      inbox.handle(request)
      return undefined
    },
    [...IN_TURN, ...AT_ONCE, 'duplicates/on-several-connections', 'duplicates/two-events-of-one-change'],
  ),
  'remembers the last delivery only': {
    steps: (_, { key }) => {
      let last = ''
      return {
        accept: (request, inbox, status) => {
          if (key(request) !== last) inbox.handle(request)
          last = key(request)
          return status
        },
      }
    },
    fails: ['duplicates/after-others'],
  },
  'remembers for a second': {
    steps: (_, { key }) => {
      const seenAt = new Map<string, number>()
      return {
        accept: (request, inbox, status) => {
          const now = performance.now()
          if (now - (seenAt.get(key(request)) ?? Number.NEGATIVE_INFINITY) > 1_000) inbox.handle(request)
          seenAt.set(key(request), now)
          return status
        },
      }
    },
    fails: ['duplicates/after-a-second'],
  },
  'recognizes redeliveries by their signature': recognizing(
    (request, { stated }) => stated(request).signatures.join(','),
    ['duplicates/signed-again'],
    TIMED,
  ),
  'recognizes redeliveries by their time': recognizing(
    (request, { stated }) => stated(request).t,
    ['effects/several-of-one-second'],
    TIMED,
  ),
  'recognizes redeliveries by key and time': recognizing(
    (request, { stated, key }) => `${key(request)} ${stated(request).t}`,
    ['duplicates/signed-again'],
    TIMED,
  ),
  'recognizes redeliveries by the hash of the body': recognizing(
    ({ raw }) => hashOf(raw),
    [
      'duplicates/same-content-under-another-id',
      'duplicates/with-other-pending-webhooks',
      'duplicates/two-events-of-one-change',
    ],
    TIMED,
  ),
  'compares ids in lower case': recognizing(
    (request, { key }) => key(request).toLowerCase(),
    ['duplicates/ids-that-differ-in-capitals'],
    TIMED,
  ),
  'cuts ids off': recognizing(
    (request, { key }) => key(request).slice(0, Math.min(24, key(request).length - 1)),
    ['duplicates/ids-that-differ-at-the-end', 'duplicates/id-that-begins-with-another'],
  ),
  'compares the end of ids': recognizing(
    (request, { key }) => key(request).slice(-8),
    ['duplicates/ids-that-differ-at-the-start'],
  ),
  'compares the start and the end of ids': recognizing(
    (request, { key }) => {
      const id = key(request)
      // No fewer than four letters: with two, unrelated events are lost too.
      const quarter = Math.max(4, id.length >> 2)
      return `${id.slice(0, quarter)} ${id.slice(-quarter)}`
    },
    ['duplicates/ids-that-differ-in-the-middle'],
  ),
  'takes an id for another that it begins with': accepting(
    (request, inbox, { key }) => {
      const id = key(request)
      const isKnown = [0, 1].some((cut) => inbox.knows(id.slice(0, id.length - cut)))
      inbox.isFirst(id)
      if (!isKnown) inbox.handle(request)
      return undefined
    },
    ['duplicates/id-that-begins-with-another'],
    TIMED,
  ),
  'looks before it inserts': accepting(async (request, inbox, { key }) => {
    const isKnown = inbox.knows(key(request))
    await wait(20)
    inbox.isFirst(key(request))
    if (!isKnown) inbox.handle(request)
    return undefined
  }, AT_ONCE),
  'remembers in each of two processes': {
    steps: (_, { key }) => {
      let turn = 0
      return {
        accept: (request, inbox, status) => {
          turn += 1
          if (inbox.isFirst(`${turn % 2} ${key(request)}`)) inbox.handle(request)
          return status
        },
      }
    },
    fails: ['duplicates/on-several-connections'],
  },
  'remembers what it has not verified': rememberingEarly(
    undefined,
    REFUSED.map((name) => `effects/handled-after-${name}`),
  ),
  'answers 409 to what a forgery was about': rememberingEarly(409, [
    'effects/handled-after-forged',
    'duplicates/acknowledged-again',
  ]),
  'handles what it then refuses': {
    steps: (_, { key }) => ({
      arrived: (request, inbox) => {
        if (inbox.isFirst(key(request))) inbox.handle(request)
      },
      accept: (_request, _inbox, status) => status,
    }),
    fails: REFUSED.map((name) => `effects/${name}-not-handled`),
  },
  'remembers before its work fails': {
    steps: (_, { key }) => {
      let wasNew = true
      return {
        // What follows another new delivery fails, and the service sends it again.
        accept: (request, inbox, status) => {
          const isNew = inbox.isFirst(key(request))
          const fails = isNew && wasNew
          wasNew = isNew
          if (isNew && !fails) inbox.handle(request)
          return fails ? 500 : status
        },
      }
    },
    fails: ['duplicates/delivered-again'],
  },
  'drops what arrives while it works': {
    steps: (_, { key }) => {
      let isBusy = false
      return {
        accept: async (request, inbox, status) => {
          if (!inbox.isFirst(key(request)) || isBusy) return status
          isBusy = true
          await wait(5)
          isBusy = false
          inbox.handle(request)
          return status
        },
      }
    },
    fails: ['effects/several-at-once'],
  },
  'loses every third delivery': {
    steps: (_, { key }) => {
      let count = 0
      return {
        accept: (request, inbox, status) => {
          if (inbox.isFirst(key(request)) && (count += 1) % 3 !== 0) inbox.handle(request)
          return status
        },
      }
    },
    fails: ['effects/several-in-turn'],
  },
}

const onlyFirst = ({ key }: Steps, accept: (...args: Parameters<Accept>) => void): Partial<Steps> => ({
  accept: (request, inbox, status) => {
    if (inbox.isFirst(key(request))) accept(request, inbox, status)
    return status
  },
})

/** Receivers that do the same in another way, and as correctly. */
export const EFFECTIVE: Readonly<Record<string, (right: Steps) => Partial<Steps>>> = {
  'handles after it has answered': (right) =>
    onlyFirst(right, (request, inbox) => setTimeout(inbox.handle, 80, request)),
  'works through a queue': (right) => {
    let queue = Promise.resolve()
    return onlyFirst(right, (request, inbox) => {
      queue = queue.then(() => wait(2)).then(() => inbox.handle(request))
    })
  },
  'handles in any order': (right) => {
    let count = 0
    return onlyFirst(right, (request, inbox) =>
      setTimeout(inbox.handle, (count += 1) % 2 === 0 ? 150 : 1, request),
    )
  },
  'answers 409 to a copy of what it is handling': ({ key }) => ({
    accept: async (request, inbox, status) => {
      const id = key(request)
      if (inbox.knows(`done ${id}`)) return status
      if (!inbox.isFirst(id)) return 409
      await wait(20)
      inbox.handle(request)
      inbox.isFirst(`done ${id}`)
      return status
    },
  }),
  'refuses redeliveries with 409': ({ key }) => ({
    accept: (request, inbox, status) => {
      if (!inbox.isFirst(key(request))) return 409
      inbox.handle(request)
      return status
    },
  }),
  'recognizes a redelivery by its body, too': ({ key }) => ({
    accept: (request, inbox, status) => {
      const [isFirst, isNew] = [inbox.isFirst(key(request)), inbox.isFirst(hashOf(request.raw))]
      if (isFirst && isNew) inbox.handle(request)
      return status
    },
  }),
}
