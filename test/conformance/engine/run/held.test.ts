import { expect, it } from 'vitest'
import { EngineError } from '../../../../conformance/engine/errors.ts'
import { CHEAP } from '../../../../conformance/engine/observe/observe.ts'
import { createHeld } from '../../../../conformance/engine/run/held.ts'

const refused = () => new EngineError({ code: 'seed_used', seed: 'any failure' })
/** An observer that fails while `isDown` says so, and counts how often it looked. */
function observing(isDown: () => boolean) {
  let looks = 0
  const effects = async () => {
    looks += 1
    await Promise.resolve()
    if (isDown()) throw refused()
    return ['an effect']
  }
  return { observer: { ...CHEAP, effects }, looks: () => looks }
}

it('an observation that fails while a step takes all connections is made again after it', async () => {
  const held = createHeld()
  let isDown = true
  let release = (): void => undefined
  const { observer, looks } = observing(() => isDown)
  const patient = held.patient(observer)

  const step = held.during(() => new Promise<void>((resolve) => (release = resolve)))
  const seen = patient.effects('tx')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(looks()).toBe(1)
  isDown = false
  release()

  expect(await seen).toEqual(['an effect'])
  expect(looks()).toBe(2)
  await step
})

it('an observation during which such a step began is made again too', async () => {
  const held = createHeld()
  let isDown = true
  const { observer } = observing(() => isDown)
  const seen = held.patient(observer).effects('tx')
  await held.during(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    isDown = false
  })
  expect(await seen).toEqual(['an effect'])
})

it('what goes on failing fails, and what fails beside no such step fails at once', async () => {
  const held = createHeld()
  const broken = observing(() => true)
  await expect(held.patient(broken.observer).effects('tx')).rejects.toThrow(EngineError)
  expect(broken.looks()).toBe(1)

  const during = held.during(() => new Promise((resolve) => setTimeout(resolve, 20)))
  await expect(held.patient(broken.observer).effects('tx')).rejects.toThrow(EngineError)
  expect(broken.looks()).toBe(5)
  await during
})
