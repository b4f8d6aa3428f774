import { describe, expect, test } from 'vitest'
import { parseRoute, routeMap } from '../../../sandbox/deliveries/routes.ts'
import {
  checkTarget,
  isPublicAddress,
  type Resolver,
  vettedLookup,
} from '../../../sandbox/deliveries/targets.ts'

/** The words of a text: lists of URLs and addresses, several a line. */
const words = (text: string) => text.trim().split(/\s+/)

const problemOf = (url: string) => {
  const verdict = checkTarget(url)
  return verdict.ok ? 'ok' : verdict.problem
}

describe('accepts public HTTPS targets', () => {
  test.each([
    ...words(`
      https://shop.example/hooks https://shop.example:8443/hooks?x=1 HTTPS://SHOP.EXAMPLE
      https://shop.example./ https://8.8.8.8/ https://134744072/ https://[2606:4700::1111]/
      https://[::ffff:8.8.8.8]/ https://bücher.example/ https://localhost.shop.example/
      https://notlocalhost.example/ https://10.0.0.1.shop.example/
      https://shop.example/?to=https://localhost/
    `),
  ])('%s', (url) => expect(problemOf(url)).toBe('ok'))
})

describe('detects localhost in any notation', () => {
  test.each([
    ...words(`
      https://localhost/ http://localhost/ HTTP://localhost:3000/webhooks http://shop.localhost/#a
      localhost:3000/webhooks https://localhost:3000/webhooks https://LOCALHOST/ https://LocalHost./
      https://shop.localhost/ https://a.b.localhost./ https://%6c%6f%63alhost/ https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/
      https://ｌｏｃａｌｈｏｓｔ/ https://localhost。/ https:localhost/ https:///localhost/
      https://localhost#@shop.example/ https://localhost?@shop.example/
    `),
    'https://l\u00adocalhost/',
    'https://lo\tcalhost/',
    'https:\\\\localhost\\',
    'https://localhost\\@shop.example/',
    ' https://localhost/ ',
  ])('%j', (url) => expect(problemOf(url)).toBe('localhost'))
})

describe('detects private addresses in any notation', () => {
  test.each([
    ...words(`
      https://127.0.0.1/ http://127.0.0.1:3000/webhooks http://host.docker.internal/ https://127.0.0.1./
      https://127.1/ https://127.0.1/ https://2130706433/ https://0x7f000001/ https://0X7F.1/
      https://0177.0.0.1/ https://017700000001/ https://0x7f.0.0x0.1/ https://①②⑦.⓪.⓪.①/
      https://１２７．０．０．１/ https://127。0。0。1/ https://127｡0｡0｡1/ https://%31%32%37.0.0.1/ https://0/
      https://0x/ https://0.0.0.0/ https://10.0.0.1/ https://192.168.1.1:8443/
      https://169.254.169.254/latest/meta-data/ https://0xa9fea9fe/ https://[::]/ https://[::1]/
      https://[0:0:0:0:0:0:0:1]/ https://[::ffff:127.0.0.1]/ https://[::FFFF:7F00:1]/
      https://[::127.0.0.1]/ https://[64:ff9b::7f00:1]/ https://[64:ff9b:1::1]/ https://[2002:7f00:1::]/
      https://[fe80::1]/ https://[fd00::1]/ https://intranet/ https://ip6-localhost/
      https://printer.local/ https://router.home.arpa/ https://metadata.google.internal/
      https://localhost.localdomain/ https://shop.onion/ https://shop.alt/
    `),
  ])('%s', (url) => expect(problemOf(url)).toBe('not_public'))
})

test.each([
  ...words(`
    http://shop.example/ ftp://shop.example/ file:///etc/passwd javascript:alert(1)
    http://me@localhost/ http://shop.example/#top
  `).map((url) => [url, 'not_https']),
  ...words(`
    https://shop.example/#@localhost https://shop.example/hooks#
  `).map((url) => [url, 'fragment']),
  ...words(`
    https://me@shop.example/ https://me:secret@shop.example/ https://:secret@shop.example/
    https://shop.example@127.0.0.1/
  `).map((url) => [url, 'userinfo']),
  ...words(`
    shop.example /hooks https:// https://[::1/ https://[fe80::1%25eth0]/ https://256.0.0.1/
    https://09.0.0.1/ https://1.2.3.4.5/ https://127.0.0.1%00.shop.example/ https://shop..example/
    https://localhost../ https://shop.example:99999/
  `).map((url) => [url, 'malformed']),
  ['', 'malformed'],
  [`https://${'a.'.repeat(130)}example/`, 'malformed'],
])('%s is %s', (url, problem) => expect(problemOf(url)).toBe(problem))

test('the errors for localhost and private addresses explain the alternatives', () => {
  for (const url of words('https://localhost/ http://localhost:3000/ https://10.0.0.1/ http://10.0.0.1/')) {
    const refused = expect.stringMatching(/--route .* hookproof listen --forward-to/)
    expect(checkTarget(url)).toMatchObject({ ok: false, refused })
  }
})

test('the error does not repeat a password', () => {
  expect(JSON.stringify(checkTarget('https://me:hunter2@shop.example/'))).not.toContain('hunter2')
})

/**
 * The first and last address of each special-use block of IPv4 and IPv6, unassigned IPv6 space, IPv4 inside IPv6 (mapped,
 * compatible, translated, NAT64, 6to4), and text that is not an IP address.
 */
const PRIVATE = words(`
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.0.0.1
  127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0
  192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0
  198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0 203.0.113.255 224.0.0.0 239.255.255.255
  240.0.0.0 255.255.255.254 255.255.255.255 192.31.196.1 192.52.193.1 192.175.48.1 :: ::1
  0:0:0:0:0:0:0:1 fc00:: fdff:ffff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 feff::1 ff00:: ff02::1
  ffff::1 2001:db8::1 2001:db8:ffff:: 3fff::1 2001::1 2001:0:4136:e378:: 2001:1::1 2001:2::1 2001:3::1
  2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 2001:1ff:ffff::1 2620:4f:8000::1 100::1 5f00::1 4000::1
  ::5:6:7:8 200::1 8000::1 1:: ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:10.0.0.1 0:0:0:0:0:ffff:a9fe:a9fe
  ::127.0.0.1 ::7f00:1 ::8.8.8.8 ::808:808 ::ffff:0:7f00:1 ::ffff:0:8.8.8.8 64:ff9b::127.0.0.1
  64:ff9b::a00:1 64:ff9b::c0a8:101 64:ff9b:1::1 64:ff9b:1::808:808 64:ff9b::1:808:808 2002:7f00:1::
  2002:a00:1::1 2002:808:808::1 localhost 127.1 0x7f000001 2130706433 0177.0.0.1 8.8.8 [2606:4700::1111]
`)

const PUBLIC = words(`
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2a00:1450:4001:81b::200e 2001:200::1
  2001:4860:4860::8888 3ffe::1 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8 64:ff9b::808:808
`)

test.each([...PRIVATE, '', '8.8.8.8 '])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

/** Resolves every name to these addresses. */
const answering =
  (found: string[]): Resolver =>
  (_hostname, callback) =>
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

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

const routed = (routes: string[], url: string) => routeMap(routes.map(parseRoute))(new URL(url))?.href

describe('a route', () => {
  const LEADS = `
    https://shop.example/=http://localhost:3000/ https://shop.example/ http://localhost:3000/
    https://shop.example=http://localhost:3000 https://shop.example/hooks?a=b http://localhost:3000/hooks?a=b
    https://shop.example/=http://localhost:3000/api/ https://shop.example/hooks http://localhost:3000/api/hooks
    https://shop.example/hooks=http://localhost:3000/in https://shop.example/hooks http://localhost:3000/in
    https://shop.example/hooks/=http://localhost:3000/in https://shop.example/hooks http://localhost:3000/in
    https://shop.example/hooks=http://localhost:3000/in https://shop.example/hooks/a http://localhost:3000/in/a
    https://shop.example/hooks=http://localhost:3000/ https://shop.example/hooks http://localhost:3000/
    https://shop.example:8443/=http://[::1]:3000/ https://shop.example:8443/a%2Fb http://[::1]:3000/a%2Fb
    https://SHOP.example/=https://127.0.0.1:3443/ https://shop.example/ https://127.0.0.1:3443/
  `
  test.each(LEADS.trim().split('\n').map(words))('%s leads %s to %s', (route = '', url = '', to = '') =>
    expect(routed([route], url)).toBe(to),
  )

  test.each([
    ['https://shop.example/=http://localhost:3000/', 'https://other.example/'],
    ['https://shop.example/=http://localhost:3000/', 'https://shop.example:8443/'],
    ['https://shop.example/=http://localhost:3000/', 'https://shop.example.evil.example/'],
    ['https://shop.example/hooks=http://localhost:3000/', 'https://shop.example/hooks2'],
    ['https://shop.example/hooks=http://localhost:3000/', 'https://shop.example/Hooks'],
    ['https://shop.example/hooks=http://localhost:3000/', 'https://shop.example/'],
  ])('%s does not match %s', (route, url) => expect(routed([route], url)).toBeUndefined())
})

test('the longest route wins, in any order', () => {
  const routes = [
    'https://shop.example/=http://localhost:1/',
    'https://shop.example/a/b=http://localhost:3/',
    'https://shop.example/a=http://localhost:2/',
  ]
  expect(routed(routes, 'https://shop.example/a/b/c')).toBe('http://localhost:3/c')
  expect(routed(routes, 'https://shop.example/a/c')).toBe('http://localhost:2/c')
  expect(routed(routes, 'https://shop.example/c')).toBe('http://localhost:1/c')
})

test.each([
  '',
  ...words(`
    https://shop.example/ http://localhost:3000/ http://shop.example/=http://localhost:3000/
    https://shop.example/=localhost:3000 https://shop.example/=ftp://localhost/
    https://=http://localhost:3000/ https://shop.example/=http://
    https://me@shop.example/=http://localhost:3000/
    https://shop.example/=http://me:secret@localhost:3000/
    https://shop.example/?a=http://localhost:3000/ https://shop.example/=http://localhost:3000/?a=b
    https://shop.example/=http://localhost:3000/#a https://a/=http://localhost:3000/
    https://localhost/=http://localhost:3000/ https://10.0.0.1/=http://localhost:3000/
  `),
])('rejects the route %j', (text) => {
  expect(() => parseRoute(text)).toThrow(
    expect.objectContaining({ code: 'BAD_ROUTE', message: expect.stringMatching(/^"routes" .*such as/) }),
  )
})

test('rejects two routes with the same start', () => {
  const twice = ['https://shop.example/a=http://localhost:1/', 'https://shop.example/a/=http://localhost:2/']
  expect(() => routeMap(twice.map(parseRoute))).toThrow('two routes')
})

test('the error does not repeat a password', () => {
  expect(() => parseRoute('https://shop.example/=http://me:hunter2@localhost/')).not.toThrow('hunter2')
})
