import { describe, expect, it } from 'vitest'
import { isPlainJson, SERIALIZERS } from '../../../conformance/diagnosis/mistakes/serializers.ts'

const VALUE = { b: 'Zoë 🧾', a: { page: 'https://x.example/<b>&', list: [true, null] } }

describe('a serializer writes what the library of its name writes', () => {
  it.each<[string, string]>([
    [
      'json.dumps of Python',
      '{"b": "Zo\\u00eb \\ud83e\\uddfe", "a": {"page": "https://x.example/<b>&", "list": [true, null]}}',
    ],
    [
      'json.dumps of Python with compact separators',
      '{"b":"Zo\\u00eb \\ud83e\\uddfe","a":{"page":"https://x.example/<b>&","list":[true,null]}}',
    ],
    [
      'json.Marshal of Go',
      '{"a":{"list":[true,null],"page":"https://x.example/\\u003cb\\u003e\\u0026"},"b":"Zoë 🧾"}',
    ],
    [
      'json_encode of PHP',
      '{"b":"Zo\\u00eb \\ud83e\\uddfe","a":{"page":"https:\\/\\/x.example\\/<b>&","list":[true,null]}}',
    ],
    [
      'a compact serializer, such as that of Ruby or Java',
      '{"b":"Zoë 🧾","a":{"page":"https://x.example/<b>&","list":[true,null]}}',
    ],
    [
      'json.Marshal of a struct in Go, or to_json of Rails',
      '{"b":"Zoë 🧾","a":{"page":"https://x.example/\\u003cb\\u003e\\u0026","list":[true,null]}}',
    ],
    [
      'writeValueAsBytes of Jackson for Java',
      '{"b":"Zoë \\uD83E\\uDDFE","a":{"page":"https://x.example/<b>&","list":[true,null]}}',
    ],
  ])('%s', (name, written) => {
    expect(SERIALIZERS[name]?.(VALUE)).toBe(written)
  })
})

it.each([
  ['{"a":"12:30","b":{"c":"d"}}', true],
  ['{"a":1.50}', false],
  ['{"a":"x","a":"y"}', false],
  ['{"9":"x"}', false],
  ['{"a":{}}', false],
])('%s is read alike in every language: %s', (text, plain) => {
  expect(isPlainJson(text)).toBe(plain)
})
