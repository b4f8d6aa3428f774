#!/usr/bin/env node
import { packageVersion } from '../conformance/version.ts'
import { exitCodeOf, watchOutput } from './shared/output.ts'

watchOutput(process.stdout, process.stderr)
watchOutput(process.stderr, process.stderr)

const words = process.argv.slice(2)
// Answered before anything else is loaded: scripts ask for it often.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${packageVersion()}\n`)
} else {
  const { main } = await import('./program.ts')
  process.exitCode = exitCodeOf(await main(words))
}
