import { NODE_VERSIONS, type NodeLine, nodeBinary } from '../shared/node-binary.ts'
import { median } from '../shared/numbers.ts'
import { load, requireAccepted } from './drive.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'
import { type PinnedServer, startServer } from './pinned.ts'

const ROUNDS = roundsOf(5)
/** Amounts of work, which other load on the machine does not reduce, unlike durations. */
const WARM_UP_CPU_SECONDS = 0.5
const CPU_SECONDS = 1

const STOCK = 'Express with express.raw'
const CLASSES = 'Express with express.raw and expressClasses'

/** What `expressClasses` gains on each release line of Node.js, with a route that only reads the body. */
export const nodes: Figure = {
  name: 'nodes',
  async measure() {
    const lines = Object.keys(NODE_VERSIONS).map((line) => {
      const node = nodeBinary(Number(line) as NodeLine)
      return { line, node, stock: [] as number[], classes: [] as number[] }
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { node, stock, classes } of lines) {
        stock.push(await microsecondsOf(STOCK, node))
        classes.push(await microsecondsOf(CLASSES, node))
      }
    }
    return lines.map(
      ({ line, stock, classes }): Row => ({
        figure: `expressClasses on Node.js ${line}`,
        baseline: 'Express 5 with express.raw',
        ratio: medianRatio(stock, classes),
        target: '',
        details: `by CPU time; ${median(classes).toFixed(0)} µs vs. ${median(stock).toFixed(0)} µs`,
      }),
    )
  },
}

/** The CPU time of a warm server per response, in microseconds. */
async function microsecondsOf(variant: string, node: string): Promise<number> {
  const server = await startServer(variant, { node })
  try {
    await work(server, variant, WARM_UP_CPU_SECONDS)
    const { answered, cpuSeconds } = await work(server, variant, CPU_SECONDS)
    return (cpuSeconds * 1e6) / answered
  } finally {
    await server.stop()
  }
}

/** Loads a server until it has used so much CPU time, in seconds. */
async function work(
  server: PinnedServer,
  variant: string,
  needed: number,
): Promise<{ answered: number; cpuSeconds: number }> {
  const before = server.cpuSeconds()
  let answered = 0
  while (server.cpuSeconds() - before < needed) {
    const result = await load(server.url, { connections: 50, seconds: 1 })
    requireAccepted(variant, result)
    answered += result.answered
  }
  return { answered, cpuSeconds: server.cpuSeconds() - before }
}
