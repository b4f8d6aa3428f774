import { expect, it } from 'vitest'
import { CATALOGUE, type CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { STALE_BY_SECONDS } from '../../../../conformance/contracts/payment-service/expectations/clock.ts'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Plan } from '../../../../conformance/contracts/webhook/model.ts'
import { NOW, SECRET } from '../../support.ts'

const ID: CaseId = 'time-window/stale-although-its-t-was-accepted-before'
const WINDOW_SECONDS = 300
/** The largest difference between a `t` in the middle of the window, as many cases have it, and the clock, in seconds. */
const MIDDLE_SECONDS = 60

/** The plan of a case that is made at a time. */
function planAt(id: string, now: number): Plan {
  const kit = createKit(id, { secret: SECRET, seed: 's', mode: 'test', now: () => now, emittedAt: now })
  return CATALOGUE.find((one) => one.id === id)?.send(kit) ?? []
}

const sentAt = (id: string, now: number): readonly Delivery[] =>
  planAt(id, now).flatMap(({ deliveries }) => deliveries)

/** The times near the beginning of the window that a receiver may accept from a case that is planned at a time. */
const acceptedAt = (id: string, now: number) =>
  sentAt(id, now)
    .map(({ signed }) => Number(signed.t))
    .filter((t) => t < now - MIDDLE_SECONDS && t >= now - WINDOW_SECONDS)

it.each([NOW, NOW + 1])('no other case sends a time that has to be new, in a run from %i', (start) => {
  const own = sentAt(ID, start)
  const timesOf = (role: Delivery['role']) =>
    own.filter((delivery) => delivery.role === role).map(({ signed }) => Number(signed.t))
  const before = new Set(timesOf('context'))
  const isNew = new Set(timesOf('probe').filter((t) => !before.has(t) && t < start - MIDDLE_SECONDS))
  // As long as one of them is inside the window, however slowly the run sends.
  const seconds = Array.from({ length: Math.max(...isNew) + WINDOW_SECONDS - start + 1 }, (_, n) => start + n)

  const others = CATALOGUE.map(({ id }) => id).filter((id) => id !== ID)
  const nearTheEdge = others.filter((id) => [start, start + 1].some((now) => acceptedAt(id, now).length > 0))
  const taken = nearTheEdge.flatMap((id) =>
    seconds.flatMap((now) =>
      acceptedAt(id, now)
        .filter((t) => isNew.has(t))
        .map((t) => `${id}, ${now - start} s after the start: ${t - start}`),
    ),
  )
  expect(isNew.size).toBeGreaterThan(0)
  expect(nearTheEdge).toContain('duplicates/after-its-signature-expired')
  expect(taken).toEqual([])
})

it.each([NOW, NOW + 1])(
  'what was inside the window is outside when it is sent later, in a run from %i',
  (start) => {
    /** What a clock of entire seconds may still show when the case goes on. */
    const resumedAt = (id: CaseId) =>
      start +
      planAt(id, start).reduce(
        (sum, step) => sum + (step.how === 'later' ? Math.floor(step.afterMs / 1000) : 0),
        0,
      )
    const seen = (id: CaseId) =>
      sentAt(id, start)
        .filter(({ role }) => role === 'context')
        .map(({ signed }) => Number(signed.t))

    const expired: CaseId = 'duplicates/after-its-signature-expired'
    expect(resumedAt(expired) - Math.max(...seen(expired))).toBeGreaterThan(WINDOW_SECONDS)
    const staler = Math.min(...seen(ID)) + STALE_BY_SECONDS
    expect(resumedAt(ID) - staler).toBeGreaterThan(WINDOW_SECONDS)
  },
)
