import { expect, it } from 'vitest'
import { createSchedule } from '../../load/schedule.ts'

const TIMES = { started: 1000.1, durationMs: 2500, graceMs: 100 }

it('is due at a fixed rate, however late the deliveries before were', () => {
  const schedule = createSchedule({ ...TIMES, rate: 4 })
  const due: (number | undefined)[] = []
  for (let count = 0; count < 12; count += 1) {
    due.push(schedule.next(3500))
    schedule.sent()
  }
  expect(due.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => 1000.1 + index * 250))
  expect(due.slice(10)).toEqual([undefined, undefined])
  expect(schedule.unsent()).toBe(0)
})

it.each([
  [1000, 2500],
  [3, 8],
  [1, 3],
])('at %i per second, has %i deliveries in 2.5 seconds', (rate, expected) => {
  const schedule = createSchedule({ ...TIMES, rate })
  let count = 0
  for (; schedule.next(1000.1) !== undefined; count += 1) schedule.sent()
  expect(count).toBe(expected)
})

it('ends after the grace, and counts what was not sent', () => {
  const schedule = createSchedule({ ...TIMES, rate: 4 })
  expect(schedule.next(3600)).toBe(1000.1)
  schedule.sent()
  expect(schedule.next(3600.2)).toBeUndefined()
  expect(schedule.unsent()).toBe(9)
})

it('counts what was due when it is stopped with a time, and nothing without one', () => {
  const late = createSchedule({ ...TIMES, rate: 4 })
  late.stop(1600.1)
  expect([late.next(1600.1), late.unsent()]).toEqual([undefined, 3])
  const punctual = createSchedule({ ...TIMES, rate: 4 })
  punctual.stop()
  expect([punctual.next(1600.1), punctual.unsent()]).toEqual([undefined, 0])
})

it('without a rate, is always due until the end', () => {
  const schedule = createSchedule(TIMES)
  expect([schedule.next(1234), schedule.next(3500), schedule.next(3500.1)]).toEqual([1234, 3500, undefined])
  expect(schedule.unsent()).toBe(0)
})
