// Runs a sandbox on the given file, for a test that kills it.
import { createSandbox } from '../../../sandbox/index.ts'

const [file = ''] = process.argv.slice(2)
const { apiUrl, testKey } = await createSandbox({ file })
process.stdout.write(`${JSON.stringify({ apiUrl, testKey })}\n`)
