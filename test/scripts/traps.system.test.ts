import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConformanceReport } from '../../conformance/index.ts'
import { ODD_EVENTS, readExamples } from '../../scripts/examples/example.ts'
import { faultOf } from '../../scripts/examples/trap.ts'
import { fixOf, withCauses } from '../../scripts/examples/troubleshooting.ts'
import { missingProgram, requires } from '../support/prerequisites.ts'

const examples = readExamples()
const traps = examples.flatMap(({ folder, traps = [] }) => traps.map((trap) => ({ folder, ...trap })))

test('docs/troubleshooting.md has the symptoms of all traps', () => {
  const page = readFileSync('docs/troubleshooting.md', 'utf8')
  expect(traps.length).toBeGreaterThan(5)
  expect(withCauses(page, readExamples())).toBe(page)
  for (const { symptom } of traps) expect(page).toContain(`| ${symptom} | [`)
})

requires(missingProgram('git')).test('the patch of each trap applies to its example', () => {
  const oddEvents = examples.map(({ folder }) => ({ folder, patch: ODD_EVENTS }))
  for (const { folder, patch } of [...traps, ...oddEvents]) {
    execFileSync('git', ['apply', '--check', `--directory=${folder}`, join(folder, patch)])
  }
})

test('each trap states the cause or the warning that the report must have', () => {
  for (const { name, cause, warning } of traps) {
    expect(
      [cause, warning].filter((one) => one !== undefined),
      name,
    ).toHaveLength(1)
  }
})

test('a fix is the reverse of a patch, without context and shared indentation', () => {
  const patch = '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n   one\n-    right\n+    wrong(\n+      twice)\n   two\n'
  expect(fixOf(patch)).toBe('- wrong(\n-   twice)\n+ right')
  const ofTwoFiles = `${patch}--- a/y\n+++ b/y\n@@ -1 +1 @@\n-yes\n+no\n`
  expect(fixOf(ofTwoFiles)).toBe('- wrong(\n-   twice)\n+ right\n- no\n+ yes')
})

describe('the report about a trap', () => {
  const trap = { name: 'a', symptom: 'b', patch: 'c', cause: 'body_reserialized' }
  const report = (codes: readonly string[], outcome = 'failed') =>
    ({
      counts: { failed: outcome === 'failed' ? 1 : 0 },
      causes: codes.map((code) => ({ code })),
      diagnosis: 'a diagnosis',
      verdicts: [{ case: 'transport/posted-as-json', outcome }],
    }) as unknown as ConformanceReport

  test('is right if it names the cause first', () => {
    expect(faultOf(trap, report(['body_reserialized', 'wrong_secret']))).toBeUndefined()
  })
  test('is wrong if it names another cause first, or none', () => {
    expect(faultOf(trap, report(['wrong_secret', 'body_reserialized']))).toContain(
      'expected the cause body_reserialized, received wrong_secret, body_reserialized',
    )
    expect(faultOf(trap, report([]))).toContain('received none; 1 failed: a diagnosis')
  })
  test('is wrong without a failure', () => {
    expect(faultOf(trap, report(['body_reserialized'], 'warning'))).toContain('0 failed')
  })
  test('only warns where a mistake harms nobody', () => {
    const { cause: _, ...mistake } = trap
    const warned = { ...mistake, warning: 'transport/posted-as-json' }
    expect(faultOf(warned, report([], 'warning'))).toBeUndefined()
    expect(faultOf(warned, report([], 'failed'))).toContain('expected a warning in transport/posted-as-json')
    expect(faultOf(warned, report([], 'passed'))).toContain('expected a warning')
  })
})
