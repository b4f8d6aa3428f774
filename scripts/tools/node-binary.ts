// Prints the path of the Node.js binary of another release line, which it installs first:
// npx tsx scripts/tools/node-binary.ts 24
import { NODE_VERSIONS, type NodeLine, nodeBinary } from '../shared/node-binary.ts'

const [, , line = ''] = process.argv
if (Object.hasOwn(NODE_VERSIONS, line)) console.log(nodeBinary(Number(line) as NodeLine))
else {
  console.error(
    `node-binary: "${line}" must be a release line of Node.js: ${Object.keys(NODE_VERSIONS).join(', ')}`,
  )
  process.exitCode = 2
}
