import { expect, test } from 'vitest'
import { explain } from '../../../cli/commands/explain/explain.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import { hookproof, testIo } from '../support.ts'

test('explains a cause that a report names: what is wrong, the fix, and the cases that show it', async () => {
  const { code, stdout } = await hookproof(['explain', 'body_reserialized'])
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^body_reserialized {2}cause of failures\n {2}Cause {8}The signature is computed over re-serialized JSON\.\n {2}Fix /,
  )
  expect(stdout).toMatch(/^ {2}Fix {10}Keep the request body as the bytes that were received/m)
  expect(stdout).toMatch(/^ {2}Shown by {5}[\w-]+\/[\w-]+\n {15}[\w-]+\/[\w-]+$/m)
  expect(stdout).toMatch(/^ {2}Example {6}add --framework with one of .*express/m)
  expect(stdout).toMatch(/^ {2}Docs {9}https:\S+\/causes\/body_reserialized/m)
})

test('shows code in the framework of the receiver', async () => {
  const { stdout } = await hookproof(['explain', 'body_reserialized', '--framework', 'flask'])
  expect(stdout).toMatch(/^Example in Flask\n {4}\S/m)
  expect(stdout).toContain('request.get_data()')
  expect(stdout).not.toContain('add --framework')
})

test('shows how to handle an event once, in whatever framework', async () => {
  const { stdout } = await hookproof(['explain', 'no_deduplication'])
  expect(stdout).toMatch(/^Example in SQL\n {4}\S/m)
})

test('suggests the nearest code, and refuses an unknown framework', async () => {
  const { code, stdout, stderr } = await hookproof(['explain', 'no_windows'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('"no_windows": did you mean no_window?')
  expect((await hookproof(['explain', 'no_window', '--framework', 'cobol'])).code).toBe(2)
})

test('says what lists the cases and the causes, for a name that resembles none', async () => {
  const { code, stderr } = await hookproof(['explain', 'unknown_name'])
  expect(code).toBe(2)
  expect(stderr).toContain(
    '"unknown_name": `hookproof cases` lists the cases, `hookproof explain` the causes',
  )
})

test('lists every cause without a name, one a line', async () => {
  const { code, stdout } = await hookproof(['explain'])
  expect(code).toBe(0)
  const lines = stdout.split('\n\n')[0]?.split('\n') ?? []
  expect(lines.map((line) => /^(\w+) {2,}\S/.exec(line)?.[1])).toEqual(CAUSE_CODES)
  expect(stdout).toMatch(
    /^Add one to the command for its fix, or a case: `hookproof cases` lists the cases\.$/m,
  )
})

test.each(CAUSE_CODES)('explains %s', async (code) => {
  const { io, stdout } = testIo()
  expect(await explain(code, {}, io)).toBe(0)
  expect(stdout()).toMatch(new RegExp(`^${code}  cause of failures\n  Cause +\\S.*\n(?:.*\n)*  Fix +\\S`))
})
