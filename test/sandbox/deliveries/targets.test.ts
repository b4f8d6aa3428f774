import { describe, expect, test } from 'vitest'
import { checkTarget } from '../../../sandbox/deliveries/targets.ts'

const problemOf = (url: string) => {
  const verdict = checkTarget(url)
  return verdict.ok ? 'ok' : verdict.problem
}

describe('accepts public HTTPS targets', () => {
  test.each([
    'https://shop.example/hooks',
    'https://shop.example:8443/hooks?x=1',
    'HTTPS://SHOP.EXAMPLE',
    'https://shop.example./',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://bücher.example/',
    'https://localhost.shop.example/',
    'https://notlocalhost.example/',
    'https://10.0.0.1.shop.example/',
    'https://shop.example/?to=https://localhost/',
  ])('%s', (url) => expect(problemOf(url)).toBe('ok'))
})

describe('detects localhost in any notation', () => {
  test.each([
    'https://localhost/',
    'http://localhost/',
    'HTTP://localhost:3000/webhooks',
    'http://shop.localhost/#a',
    'localhost:3000/webhooks',
    'https://localhost:3000/webhooks',
    'https://LOCALHOST/',
    'https://LocalHost./',
    'https://shop.localhost/',
    'https://a.b.localhost./',
    'https://%6c%6f%63alhost/',
    'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
    'https://ｌｏｃａｌｈｏｓｔ/',
    'https://localhost。/',
    'https://l\u00adocalhost/',
    'https://lo\tcalhost/',
    'https:localhost/',
    'https:///localhost/',
    'https:\\\\localhost\\',
    'https://localhost\\@shop.example/',
    'https://localhost#@shop.example/',
    'https://localhost?@shop.example/',
    ' https://localhost/ ',
  ])('%j', (url) => expect(problemOf(url)).toBe('localhost'))
})

describe('detects private addresses in any notation', () => {
  test.each([
    'https://127.0.0.1/',
    'http://127.0.0.1:3000/webhooks',
    'http://host.docker.internal/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://127.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0X7F.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://0x7f.0.0x0.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７．０．０．１/',
    'https://127。0。0。1/',
    'https://127｡0｡0｡1/',
    'https://%31%32%37.0.0.1/',
    'https://0/',
    'https://0x/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://192.168.1.1:8443/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::FFFF:7F00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    // Names that exist on local networks only.
    'https://intranet/',
    'https://ip6-localhost/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://metadata.google.internal/',
    'https://localhost.localdomain/',
    'https://shop.onion/',
    'https://shop.alt/',
  ])('%s', (url) => expect(problemOf(url)).toBe('not_public'))
})

test.each([
  ['http://shop.example/', 'not_https'],
  ['ftp://shop.example/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['javascript:alert(1)', 'not_https'],
  ['http://me@localhost/', 'not_https'],
  ['https://shop.example/#@localhost', 'fragment'],
  ['https://shop.example/hooks#', 'fragment'],
  ['http://shop.example/#top', 'not_https'],
  ['https://me@shop.example/', 'userinfo'],
  ['https://me:secret@shop.example/', 'userinfo'],
  ['https://:secret@shop.example/', 'userinfo'],
  ['https://shop.example@127.0.0.1/', 'userinfo'],
  ['', 'malformed'],
  ['shop.example', 'malformed'],
  ['/hooks', 'malformed'],
  ['https://', 'malformed'],
  ['https://[::1/', 'malformed'],
  ['https://[fe80::1%25eth0]/', 'malformed'],
  ['https://256.0.0.1/', 'malformed'],
  ['https://09.0.0.1/', 'malformed'],
  ['https://1.2.3.4.5/', 'malformed'],
  ['https://127.0.0.1%00.shop.example/', 'malformed'],
  ['https://shop..example/', 'malformed'],
  ['https://localhost../', 'malformed'],
  ['https://shop.example:99999/', 'malformed'],
  [`https://${'a.'.repeat(130)}example/`, 'malformed'],
])('%s is %s', (url, problem) => expect(problemOf(url)).toBe(problem))

test('the errors for localhost and private addresses explain the alternatives', () => {
  for (const url of [
    'https://localhost/',
    'http://localhost:3000/',
    'https://10.0.0.1/',
    'http://10.0.0.1/',
  ]) {
    const refused = expect.stringMatching(/--route .* hookproof listen --forward-to/)
    expect(checkTarget(url)).toMatchObject({ ok: false, refused })
  }
})

test('the error does not repeat a password', () => {
  expect(JSON.stringify(checkTarget('https://me:hunter2@shop.example/'))).not.toContain('hunter2')
})
