import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Resolver, vettedLookup } from '../../../sandbox/deliveries/targets/lookup.ts'
import { receiver } from './support.ts'

/** Answers with the next list each time it is asked. */
function answering(...answers: string[][]): Resolver & { asked: string[] } {
  const asked: string[] = []
  const resolver: Resolver = (hostname, callback) => {
    const found = answers[asked.length] ?? []
    asked.push(hostname)
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return Object.assign(resolver, { asked })
}

const lookedUp = (resolver: Resolver, all = true) =>
  new Promise((resolve) => {
    vettedLookup(resolver)('shop.example', { all }, (error, address, family) => {
      resolve(error === null ? [address, family] : error.code)
    })
  })

test('public addresses are handed on, all of them or the first', async () => {
  const addresses = ['8.8.8.8', '2606:4700::1111']
  const both = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  expect(await lookedUp(answering(addresses))).toEqual([both, undefined])
  expect(await lookedUp(answering(addresses), false)).toEqual(['8.8.8.8', 4])
})

test.each([
  [['127.0.0.1']],
  [['10.0.0.1']],
  [['::1']],
  [['::ffff:169.254.169.254']],
  [['64:ff9b::7f00:1']],
  [['fe80::1%eth0']],
  [['8.8.8.8', '127.0.0.1']],
  [['127.0.0.1', '8.8.8.8']],
  [['8.8.8.8', '2606:4700::1111', '::ffff:a00:1']],
])('a name that leads to %s is blocked', async (answers) => {
  expect(await lookedUp(answering(answers))).toBe('TARGET_BLOCKED')
  expect(await lookedUp(answering(answers), false)).toBe('TARGET_BLOCKED')
})

test('a name without addresses, and one that can not be resolved, are errors of DNS', async () => {
  expect(await lookedUp(answering([]))).toBe('ENOTFOUND')
  const failing: Resolver = (_name, callback) =>
    callback(Object.assign(new Error('later'), { code: 'EAI_AGAIN' }), [])
  expect(await lookedUp(failing)).toBe('EAI_AGAIN')
})

test('the system resolver finds localhost, and it is blocked', async () => {
  const code = await new Promise((resolve) => {
    vettedLookup()('localhost', { all: true }, (error) => resolve(error?.code))
  })
  expect(code).toBe('TARGET_BLOCKED')
})

test('a name that is rebound between two connections is judged at each, and asked once for each', async () => {
  const { port, connections } = await receiver()
  // The first address stands for a public one, since there is none to connect to here.
  const resolver = answering(['127.0.0.1'], ['127.0.0.2'])
  const lookup = vettedLookup(resolver, (address) => address === '127.0.0.1')
  const first = connect({ host: 'rebinding.example', port, lookup })
  await once(first, 'connect')
  expect(first.remoteAddress).toBe('127.0.0.1')
  first.destroy()
  const second = connect({ host: 'rebinding.example', port, lookup })
  await expect(once(second, 'connect')).rejects.toMatchObject({ code: 'TARGET_BLOCKED' })
  expect(resolver.asked).toEqual(['rebinding.example', 'rebinding.example'])
  expect(connections()).toBe(1)
})
