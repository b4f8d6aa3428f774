import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { type Resolver, vettedLookup } from '../../../sandbox/deliveries/targets.ts'
import { receiver } from './support.ts'

/** Resolves to the next list at each lookup. */
function answering(...answers: string[][]): Resolver & { lookups: string[] } {
  const lookups: string[] = []
  const resolver: Resolver = (hostname, callback) => {
    const found = answers[lookups.length] ?? []
    lookups.push(hostname)
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return Object.assign(resolver, { lookups })
}

const lookedUp = (resolver: Resolver, all = true) =>
  new Promise((resolve) => {
    vettedLookup(resolver)('shop.example', { all }, (error, address, family) => {
      resolve(error === null ? [address, family] : error.code)
    })
  })

test('returns public addresses, all of them or the first', async () => {
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
])('blocks a name that resolves to %s', async (answers) => {
  expect(await lookedUp(answering(answers))).toBe('TARGET_BLOCKED')
  expect(await lookedUp(answering(answers), false)).toBe('TARGET_BLOCKED')
})

test('reports a DNS error for a name without addresses, and for one that cannot be resolved', async () => {
  expect(await lookedUp(answering([]))).toBe('ENOTFOUND')
  const failing: Resolver = (_name, callback) =>
    callback(Object.assign(new Error('later'), { code: 'EAI_AGAIN' }), [])
  expect(await lookedUp(failing)).toBe('EAI_AGAIN')
})

test('blocks localhost with the system resolver', async () => {
  const code = await new Promise((resolve) => {
    vettedLookup()('localhost', { all: true }, (error) => resolve(error?.code))
  })
  expect(code).toBe('TARGET_BLOCKED')
})

test('checks a rebound name at each connection, with one lookup each', async () => {
  const { port, connections } = await receiver()
  // The first address stands for a public one, since the test has none to connect to.
  const resolver = answering(['127.0.0.1'], ['127.0.0.2'])
  const lookup = vettedLookup(resolver, (address) => address === '127.0.0.1')
  const first = connect({ host: 'rebinding.example', port, lookup })
  await once(first, 'connect')
  expect(first.remoteAddress).toBe('127.0.0.1')
  first.destroy()
  const second = connect({ host: 'rebinding.example', port, lookup })
  await expect(once(second, 'connect')).rejects.toMatchObject({ code: 'TARGET_BLOCKED' })
  expect(resolver.lookups).toEqual(['rebinding.example', 'rebinding.example'])
  expect(connections()).toBe(1)
})
