import { expect, test } from 'vitest'
import { answerWithRealClasses } from '../support/real-classes.ts'

test('the server of the sandbox does not call the classes of Node.js as functions', () => {
  expect(answerWithRealClasses('dist/sandbox/http/server.js', 'serverFor(app)')).toEqual({
    stdout: '200 true\n',
    stderr: '',
  })
})
