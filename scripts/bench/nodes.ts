import { NODE_VERSIONS, type NodeLine, nodeBinary } from '../shared/node-binary.ts'
import { drive } from './drive.ts'
import type { Figure, Row } from './figure.ts'
import { compareThroughput } from './receivers.ts'

const ROUNDS = 5
const STOCK = 'Express with express.raw'
const CLASSES = 'Express with express.raw and expressClasses'

/** What `expressClasses` gains on each release line of Node.js, with a route that only reads the body. */
export const nodes: Figure = {
  name: 'nodes',
  async measure() {
    const rows: Row[] = []
    for (const [line, version] of Object.entries(NODE_VERSIONS)) {
      const node = nodeBinary(Number(line) as NodeLine)
      const samples = await drive([STOCK, CLASSES], { rounds: ROUNDS, seconds: 1, node })
      const row = compareThroughput(
        `expressClasses on Node.js ${line}`,
        'Express 5 with express.raw',
        [samples[CLASSES], samples[STOCK]],
        '',
        'CPU time',
      )
      rows.push({ ...row, details: `${row.details}; Node.js ${version}` })
    }
    return rows
  },
}
