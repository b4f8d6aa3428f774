import { describe, expect, test } from 'vitest'
import { parseRoute, routeMap } from '../../../sandbox/deliveries/routes.ts'

const routed = (routes: string[], url: string) => routeMap(routes.map(parseRoute))(new URL(url))?.href

describe('a route', () => {
  test.each([
    ['https://shop.example/=http://localhost:3000/', 'https://shop.example/', 'http://localhost:3000/'],
    [
      'https://shop.example=http://localhost:3000',
      'https://shop.example/hooks?a=b',
      'http://localhost:3000/hooks?a=b',
    ],
    [
      'https://shop.example/=http://localhost:3000/api/',
      'https://shop.example/hooks',
      'http://localhost:3000/api/hooks',
    ],
    [
      'https://shop.example/hooks=http://localhost:3000/in',
      'https://shop.example/hooks',
      'http://localhost:3000/in',
    ],
    [
      'https://shop.example/hooks/=http://localhost:3000/in',
      'https://shop.example/hooks',
      'http://localhost:3000/in',
    ],
    [
      'https://shop.example/hooks=http://localhost:3000/in',
      'https://shop.example/hooks/a',
      'http://localhost:3000/in/a',
    ],
    [
      'https://shop.example/hooks=http://localhost:3000/',
      'https://shop.example/hooks',
      'http://localhost:3000/',
    ],
    [
      'https://shop.example:8443/=http://[::1]:3000/',
      'https://shop.example:8443/a%2Fb',
      'http://[::1]:3000/a%2Fb',
    ],
    ['https://SHOP.example/=https://127.0.0.1:3443/', 'https://shop.example/', 'https://127.0.0.1:3443/'],
  ])('%s leads %s to %s', (route, url, to) => expect(routed([route], url)).toBe(to))

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
  'https://shop.example/',
  'http://localhost:3000/',
  'http://shop.example/=http://localhost:3000/',
  'https://shop.example/=localhost:3000',
  'https://shop.example/=ftp://localhost/',
  'https://=http://localhost:3000/',
  'https://shop.example/=http://',
  'https://me@shop.example/=http://localhost:3000/',
  'https://shop.example/=http://me:secret@localhost:3000/',
  'https://shop.example/?a=http://localhost:3000/',
  'https://shop.example/=http://localhost:3000/?a=b',
  'https://shop.example/=http://localhost:3000/#a',
  'https://a/=http://localhost:3000/',
  'https://localhost/=http://localhost:3000/',
  'https://10.0.0.1/=http://localhost:3000/',
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
