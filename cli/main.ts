#!/usr/bin/env node
import { packageVersion } from '../conformance/version.ts'

// A reader that has seen enough, such as `head`, is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const words = process.argv.slice(2)
// Answered before anything else is loaded: scripts ask for it often.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${packageVersion()}\n`)
} else {
  const { main } = await import('./program.ts')
  process.exitCode = await main(words)
}
