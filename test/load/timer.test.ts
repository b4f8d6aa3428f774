import { expect, it, onTestFinished } from 'vitest'
import { createTimer } from '../../load/schedule.ts'

it('calls back although a notification arrives late, when the wait has begun', async () => {
  const request = new Int32Array(new SharedArrayBuffer(4))
  const timer = await createTimer(request)
  onTestFinished(() => timer.end())
  const started = performance.now()
  const elapsed = new Promise<number>((resolve) => {
    timer.start(50, () => resolve(performance.now() - started))
  })
  const notifying = setInterval(() => Atomics.notify(request, 0), 5)
  onTestFinished(() => clearInterval(notifying))
  expect(await elapsed).toBeGreaterThanOrEqual(49.9)
})

it('calls back for the last of several starts', async () => {
  const timer = await createTimer()
  onTestFinished(() => timer.end())
  const calls: string[] = []
  await new Promise<void>((resolve) => {
    timer.start(1000, () => calls.push('first'))
    timer.start(1, () => {
      calls.push('second')
      resolve()
    })
  })
  expect(calls).toEqual(['second'])
})
