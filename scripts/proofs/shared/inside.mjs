// Loaded into a receiver by `node --import`: it moves the clock, and tells of the memory, at the word of the proof.
const real = Date.now.bind(Date)
let offset = 0
let pinned = process.env.PROOF_CLOCK_AT === undefined ? undefined : Number(process.env.PROOF_CLOCK_AT)

Date.now = () => pinned ?? real() + offset

process.on('message', (asked) => {
  if (typeof asked.offset === 'number') {
    offset = asked.offset
    pinned = undefined
  }
  if (asked.memory === true) globalThis.gc?.()
  process.send?.({ now: Date.now(), heap: process.memoryUsage().heapUsed })
})
// The receiver ends when it would without us.
process.channel?.unref()
