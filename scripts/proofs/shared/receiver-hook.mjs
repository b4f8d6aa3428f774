// Loaded into the receiver with `node --import`. It lets the proof move the receiver's clock and measure its heap.
const realNow = Date.now.bind(Date)
let offset = 0
let fixed = process.env.PROOF_CLOCK_AT === undefined ? undefined : Number(process.env.PROOF_CLOCK_AT)

Date.now = () => fixed ?? realNow() + offset

process.on('message', (request) => {
  if (typeof request.offset === 'number') {
    offset = request.offset
    fixed = undefined
  }
  if (request.collectGarbage === true) globalThis.gc?.()
  process.send?.({ now: Date.now(), heap: process.memoryUsage().heapUsed })
})
// The channel must not keep the receiver running.
process.channel?.unref()
